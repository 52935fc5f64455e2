/** What the threads of an app have used and waited for, at one moment. */
export interface ProcessorUse {
  /** Seconds of a clock that only goes forward. */
  at: number;
  /** Seconds of processor time so far. */
  cpu: number;
  /** By thread: seconds so far in which it was ready to run and had no processor. */
  waits: ReadonlyMap<string, number>;
}

/** Seconds below which a share says little. */
const SHORTEST_S = 1;
/** The share of one processor from which on an app fills it, so that its threads wait for each other. */
const OWN_SHARE = 0.75;

/**
 * The share of one processor that an app used between two moments, without the time in which its threads waited for one: a
 * loop without a pause has about 1, also on a machine whose processors others use. 2 is two full processors.
 */
export function processorShare(before: ProcessorUse, after: ProcessorUse): number {
  const seconds = after.at - before.at - longestWait(before, after);
  return (after.cpu - before.cpu) / Math.max(seconds, SHORTEST_S);
}

/**
 * Seconds between two moments in which one of an app's threads waited for a processor that other programs had; 0 when the
 * app fills one itself. Its main thread may have waited for that thread meanwhile, and not for a processor.
 */
export function starvedSeconds(before: ProcessorUse, after: ProcessorUse): number {
  const fillsOne = after.cpu - before.cpu > OWN_SHARE * (after.at - before.at);
  return fillsOne ? 0 : longestWait(before, after);
}

/** Seconds that the thread which waited longest for a processor did so between two moments; those of several overlap. */
function longestWait(before: ProcessorUse, after: ProcessorUse): number {
  const waits = [...after.waits].map(([thread, waited]) => waited - (before.waits.get(thread) ?? 0));
  return Math.max(0, ...waits);
}
