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
/** The share of its time for which a thread may wait for a processor, and that of one processor with which an app starves itself. */
const STARVED_SHARE = 0.4;
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
 * Seconds for which one of an app's threads waited for a processor between two moments, when other programs had so much of
 * them that the app cannot keep a time limit; otherwise null.
 * @param limit the time limit, in seconds
 */
export function starvation(before: ProcessorUse, after: ProcessorUse, limit: number): number | null {
  const waited = longestWait(before, after);
  const starvesItself = after.cpu - before.cpu > OWN_SHARE * (after.at - before.at);
  return waited < STARVED_SHARE * limit || starvesItself ? null : waited;
}

/** Seconds that the thread which waited longest for a processor did so between two moments; those of several overlap. */
export function longestWait(before: ProcessorUse, after: ProcessorUse): number {
  const waits = [...after.waits].map(([thread, waited]) => waited - (before.waits.get(thread) ?? 0));
  return Math.max(0, ...waits);
}
