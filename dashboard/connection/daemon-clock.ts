/** Milliseconds that two clocks may differ and still count as equal: the header has whole seconds. */
const TOLERANCE = 1500;

/** The daemon's clock as seen from this page: a robot without a network may have another time. */
export class DaemonClock {
  readonly #now: () => number;
  #offset = 0;

  /** @param now milliseconds since the epoch by this machine's clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param date the `Date` header of an answer that has just arrived (RFC 9110, section 6.6.1) */
  synchronise(date: string | null): void {
    const daemonTime = Date.parse(date ?? "");
    if (Number.isNaN(daemonTime)) return;
    const offset = daemonTime - this.#now();
    this.#offset = Math.abs(offset) <= TOLERANCE ? 0 : offset;
  }

  /** Milliseconds since a time of the daemon's clock, never below 0. */
  elapsedSince(time: number): number {
    return Math.max(0, this.#now() + this.#offset - time);
  }
}
