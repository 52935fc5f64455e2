import { type Clock, sleep } from "../../common/time/clock.ts";
import { type Problem, problemOf } from "../../robot/wire/errors.ts";

/** Milliseconds after the first failure until which an attempt is repeated, and between two attempts. */
const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 1000;

interface RetryOptions {
  readonly clock: Clock;
  /** Ends the attempts; the one under way decides nothing any more. */
  readonly signal: AbortSignal;
  /** Is called when the first attempt has failed. */
  onFirstFailure(problem: Problem): void;
  /**
   * Is called before a pause; returns a function that tells after it whether somebody else has decided meanwhile. Default: nobody
   * does.
   */
  watchOthers?(): () => boolean;
}

/**
 * Repeats an attempt for a minute while servos do not answer, as when their power has just been switched on, or when this machine
 * is busy. Ends when an attempt succeeds, the signal aborts or somebody else has decided.
 * @throws what the attempt throws; WorkbenchError `robot-not-ready` only after a minute
 */
export async function retryWhileNotReady(
  attempt: () => Promise<void>,
  { clock, signal, onFirstFailure, watchOthers }: RetryOptions,
): Promise<void> {
  for (let firstFailedAt: number | undefined; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) return;
      const problem = problemOf(error);
      if (problem.code !== "robot-not-ready") throw error;
      if (firstFailedAt === undefined) onFirstFailure(problem);
      firstFailedAt ??= clock.now();
      if (clock.now() - firstFailedAt >= RETRY_FOR_MS) throw error;
    }
    const haveOthersDecided = watchOthers?.();
    await sleep(clock, PAUSE_MS, signal);
    if (haveOthersDecided?.() || signal.aborted) return;
  }
}
