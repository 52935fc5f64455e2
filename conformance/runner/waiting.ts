import { setTimeout } from "node:timers/promises";

/** How often a condition is looked at, milliseconds. */
const PERIOD_MS = 10;

/**
 * Looks at a condition until it holds and returns what it gave; throws after the deadline, naming what was waited for
 * and, when it threw, why it did not hold. A throw counts as "not yet".
 * @param deadlineMs milliseconds
 * @param signal gives the waiting up; its reason is thrown
 */
export async function within<T>(
  deadlineMs: number,
  what: string,
  condition: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  signal?: AbortSignal,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  let last: unknown;
  do {
    signal?.throwIfAborted();
    try {
      const value = await condition();
      if (value !== undefined && value !== false && value !== null) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await setTimeout(PERIOD_MS);
  } while (performance.now() < end);
  const why = last instanceof Error ? `: ${last.message}` : "";
  throw new Error(`not within ${deadlineMs} ms: ${what}${why}`, { cause: last });
}

/** Lets time pass: where a moment is to be hit, not where something is waited for. @throws the signal's reason */
export async function pass(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal });
}
