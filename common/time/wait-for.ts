import { setTimeout } from "node:timers/promises";

/** Milliseconds between two looks at a condition: short at first, longer while it stays false. */
const FIRST_PERIOD_MS = 5;
const LONGEST_PERIOD_MS = 50;

/**
 * Evaluates a condition every few milliseconds until it holds, and returns its value. A condition does not hold while it
 * throws or returns undefined, null or false.
 * @param deadlineMs milliseconds
 * @param what the condition in words, for the error
 * @param signal cancels the wait
 * @throws Error after the deadline, with `what` and the last error of the condition; the signal's reason when cancelled
 */
export async function waitFor<T>(
  deadlineMs: number,
  what: string,
  condition: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  signal?: AbortSignal,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  let last: unknown;
  let period = FIRST_PERIOD_MS;
  for (let isOver = false; ; ) {
    signal?.throwIfAborted();
    try {
      const value = await condition();
      if (value !== undefined && value !== false && value !== null) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (isOver) break;
    // The last look follows a pause after the deadline: what came while this process stood still is seen then.
    isOver = performance.now() >= end;
    await setTimeout(period);
    period = Math.min(LONGEST_PERIOD_MS, period * 1.5);
  }
  const why = last instanceof Error ? `: ${last.message}` : "";
  throw new Error(`not within ${deadlineMs} ms: ${what}${why}`, { cause: last });
}
