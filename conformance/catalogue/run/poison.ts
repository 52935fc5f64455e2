import type { Attempt } from "../catalogue-verdict.ts";

/** Failures in a row that quarantine an app: each exceeded a limit or ended the process of its certification. */
export const POISON_FAILURES = 3;
/** The same for attempts that were lost with their workers, which may have ended for reasons of their own. */
export const POISON_LOSSES = 8;

/**
 * Whether an app is to be quarantined: it repeatedly exceeds its limits, ends the certification, or is what runs when
 * workers are lost. Failures that certify reports say nothing about the app and do not count.
 */
export function isPoison(attempts: readonly Attempt[]): boolean {
  const own = attempts.filter(({ failure }) => failure !== null && !["harness", "fetch"].includes(failure.kind));
  const lost = attempts.filter(({ failure }) => failure === null);
  return own.length >= POISON_FAILURES || lost.length >= POISON_LOSSES;
}
