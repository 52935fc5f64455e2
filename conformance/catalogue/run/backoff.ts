/** Attempts at an app in one run, when the harness fails. */
export const ATTEMPTS = 4;
const FIRST_MS = 2000;
const LONGEST_MS = 60_000;

/** Milliseconds to wait before the next attempt, after a number of attempts that failed: twice as long each time. */
export const backoffMs = (failed: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** (failed - 1));
