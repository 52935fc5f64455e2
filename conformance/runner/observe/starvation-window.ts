/** What a process has waited for a processor, and its descendants have run, up to one moment; milliseconds. */
export interface WaitSample {
  /** Of a clock that only goes forward. */
  at: number;
  waited: number;
  descendants: number;
}

/** Milliseconds over which starvation is measured, and the share of it that is too much to wait. */
const WINDOW_MS = 2000;
const STARVED_SHARE = 0.75;
/** Seconds that its descendants have run, for each second that it has waited, from which on it starves itself. */
const OWN_SHARE = 0.75;

/**
 * Tells whether the machine starves a process: one that gets no processor cannot keep any deadline. A process that waits for
 * its own descendants is not starved by the machine.
 */
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
    return sample.descendants - first.descendants > OWN_SHARE * waited ? null : waited;
  }
}
