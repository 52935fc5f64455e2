/** Milliseconds before each further start of a process that ends again and again. */
const PAUSES_MS = [250, 1000, 2000, 5000, 10_000] as const;
/** A process that ran so long had nothing to do with how the one before it ended. */
const STABLE_MS = 60_000;

/** How often a process that was lost may be started again, and how soon. */
export class Restarts {
  #lost = 0;

  /**
   * @param ranMs milliseconds from the start of the process to its end
   * @returns milliseconds until the next start, or null when there shall be none: it ended too often in a row
   */
  afterLoss(ranMs: number): number | null {
    if (ranMs >= STABLE_MS) this.#lost = 0;
    return PAUSES_MS[this.#lost++] ?? null;
  }
}
