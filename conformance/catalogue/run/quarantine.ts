import type { Attempt } from "../catalogue-verdict.ts";

/** Attempts of one app that exceeded a limit or crashed, after which it is quarantined. */
const QUARANTINE_FAILURES = 3;
/** Attempts lost with their workers, after which it is quarantined; higher, because workers also end for other reasons. */
export const QUARANTINE_LOSSES = 8;
/** Milliseconds after its deadline in which an attempt surely ended: it is cancelled, and clocks of machines differ. */
const GRACE_MS = 60_000;

interface QuarantineOptions {
  /** Id of the queue's job of the present attempt; null without a queue. */
  job: string | null;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Seconds that one certification may take. */
  deadline: number;
}

/**
 * Whether an app is to be quarantined: it repeatedly exceeds its limits, ends the certification, or is what runs when
 * workers are lost. Failures that certify reports say nothing about the app and do not count. An attempt without a failure
 * may still run, for example for a copy of the app; it is lost when its job makes another one, or when its time is over.
 */
export function shouldQuarantine(attempts: readonly Attempt[], { job, now, deadline }: QuarantineOptions): boolean {
  const own = attempts.filter(({ failure }) => failure !== null && !["harness", "fetch"].includes(failure.kind));
  const isLost = (attempt: Attempt): boolean => {
    if (attempt.failure !== null) return false;
    const isReplaced = job !== null && attempt.job === job;
    return isReplaced || Date.parse(attempt.startedAt) + deadline * 1000 + GRACE_MS < now;
  };
  return own.length >= QUARANTINE_FAILURES || attempts.filter(isLost).length >= QUARANTINE_LOSSES;
}
