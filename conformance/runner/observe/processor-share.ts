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

/**
 * The share of one processor that an app used between two moments, without the time in which its threads waited for one: a
 * loop without a pause has about 1, also on a machine whose processors others use. 2 is two full processors.
 *
 * The longest wait of one thread is left out, since the waits of several overlap.
 */
export function processorShare(before: ProcessorUse, after: ProcessorUse): number {
  const waits = [...after.waits].map(([thread, waited]) => waited - (before.waits.get(thread) ?? 0));
  const seconds = after.at - before.at - Math.max(0, ...waits);
  return (after.cpu - before.cpu) / Math.max(seconds, SHORTEST_S);
}
