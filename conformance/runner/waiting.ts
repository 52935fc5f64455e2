/** How often a condition is looked at, milliseconds. */
const PERIOD_MS = 10;

/**
 * Looks at a condition until it holds and returns what it gave; throws after the deadline, naming what was waited for
 * and, when it threw, why it did not hold. A throw counts as "not yet".
 * @param deadlineMs milliseconds
 */
export async function within<T>(
  deadlineMs: number,
  what: string,
  condition: () => Promise<T | undefined | false | null> | T | undefined | false | null,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  let last: unknown;
  do {
    try {
      const value = await condition();
      if (value !== undefined && value !== false && value !== null) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
  } while (performance.now() < end);
  const why = last instanceof Error ? `: ${last.message}` : "";
  throw new Error(`not within ${deadlineMs} ms: ${what}${why}`, { cause: last });
}
