import { NOTICEABLE_DELAY } from "../../evidence/app-run.ts";

/** How long the main thread of a process has waited for a processor so far; milliseconds. */
export interface ProcessorWait {
  waited: number;
  /** How long its other threads and its descendants have run. */
  othersRan: number;
}

export interface WaitSample extends ProcessorWait {
  /** Milliseconds of a clock that only goes forward. */
  at: number;
}

/** Milliseconds over which starvation is measured, and the share of it that is too much to wait. */
const WINDOW_MS = 2000;
const STARVED_SHARE = 0.75;
/** Seconds that its other threads and descendants have run for each second of its wait, from which on it starves itself. */
const OWN_SHARE = 0.75;

/** Whether a process waits for its own threads and descendants, rather than for other programs of the machine. */
export const waitsForOwnThreads = ({ waited, othersRan }: ProcessorWait): boolean => othersRan > OWN_SHARE * waited;

/** Whether a process has waited noticeably between two samples, for a processor that other programs had. */
export function waitedForOthers(before: WaitSample, after: WaitSample): boolean {
  const waited = after.waited - before.waited;
  return (
    waited >= 1000 * NOTICEABLE_DELAY && !waitsForOwnThreads({ waited, othersRan: after.othersRan - before.othersRan })
  );
}

/** Tells whether the machine starves a process: one that gets no processor cannot keep any deadline. */
export class StarvationWindow {
  readonly #samples: WaitSample[] = [];

  /** @returns milliseconds of the window that the process has waited, when the machine starves it; otherwise null */
  add(sample: WaitSample): number | null {
    this.#samples.push(sample);
    while ((this.#samples[1]?.at ?? sample.at) < sample.at - WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0] ?? sample;
    const elapsed = sample.at - first.at;
    const waited = sample.waited - first.waited;
    if (elapsed < WINDOW_MS || waited <= STARVED_SHARE * elapsed) return null;
    return waitsForOwnThreads({ waited, othersRan: sample.othersRan - first.othersRan }) ? null : waited;
  }
}
