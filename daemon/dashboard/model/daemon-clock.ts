/** Milliseconds that two clocks may be apart and still count as one: the header below tells whole seconds. */
const SAME = 1500;

/** The daemon's clock as seen from here: a robot without a network has a time of its own. */
export class DaemonClock {
  readonly #here: () => number;
  #ahead = 0;

  /** @param here milliseconds since the epoch by this machine's clock */
  constructor(here: () => number) {
    this.#here = here;
  }

  /** @param date the `Date` header of an answer that has just come (RFC 9110, section 6.6.1) */
  hear(date: string | null): void {
    const there = Date.parse(date ?? "");
    if (Number.isNaN(there)) return;
    const ahead = there - this.#here();
    this.#ahead = Math.abs(ahead) <= SAME ? 0 : ahead;
  }

  /** How long ago something was that happened at `then` by the daemon's clock, milliseconds, never below 0. */
  since(then: number): number {
    return Math.max(0, this.#here() + this.#ahead - then);
  }
}
