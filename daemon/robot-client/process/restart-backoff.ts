/** Milliseconds to wait before each further start of a process that keeps ending. */
const MAX_DELAY_MS = 10_000;
const DELAYS_MS = [250, 1000, 2000, 5000, MAX_DELAY_MS] as const;
/** After a run of this length, losses before it no longer count. */
const STABLE_MS = 60_000;

/** Decides whether a lost process is started again, and after which delay. */
export class RestartBackoff {
  #lost = 0;
  #failedStarts = 0;

  /**
   * @param ranMs milliseconds from the start of the process to its end
   * @returns milliseconds until the next start, or null when it has ended too often in a row
   */
  afterLoss(ranMs: number): number | null {
    if (ranMs >= STABLE_MS) this.#lost = 0;
    this.#failedStarts = 0;
    return DELAYS_MS[this.#lost++] ?? null;
  }

  /**
   * For a process that could not be started at all, as when the system has no process or memory left. That can pass, so
   * the attempts continue, 10 s apart in the end.
   *
   * @returns milliseconds until the next start
   */
  afterFailedStart(): number {
    return DELAYS_MS[this.#failedStarts++] ?? MAX_DELAY_MS;
  }
}
