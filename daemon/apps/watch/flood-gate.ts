import type { Clock } from "../../clock.ts";

/** A line costs one unit, and one more for each of these many characters. */
const UNIT = 1024;
/** Units that pass at once, and units that come back each second. */
const BURST = 2000;
const PER_SECOND = 500;
/** How often a lasting flood is told of. */
const NOTICE_MS = 1000;

/**
 * Keeps a flood of output from drowning the log: shows what a token bucket allows and says how many lines it left
 * out. After a flood, lines pass again when half a second's worth has come back.
 */
export class FloodGate {
  readonly #clock: Clock;
  readonly #show: (line: string) => void;
  #units = BURST;
  #filledAt: number;
  #dropped = 0;
  #callOff: (() => void) | null = null;

  constructor(clock: Clock, show: (line: string) => void) {
    this.#clock = clock;
    this.#show = show;
    this.#filledAt = clock.now();
  }

  push(line: string): void {
    this.#refill();
    const price = 1 + Math.floor(line.length / UNIT);
    const needed = this.#dropped === 0 ? price : Math.max(price, PER_SECOND / 2);
    if (this.#units < needed) {
      this.#dropped += 1;
      this.#callOff ??= this.#clock.after(NOTICE_MS, () => this.flush());
      return;
    }
    this.flush();
    this.#units -= price;
    this.#show(line);
  }

  /** Tells of the lines left out so far, if any. */
  flush(): void {
    this.#callOff?.();
    this.#callOff = null;
    if (this.#dropped > 0) this.#show(`[${this.#dropped} lines left out: more than ${PER_SECOND} a second]`);
    this.#dropped = 0;
  }

  #refill(): void {
    const seconds = Math.max(0, this.#clock.now() - this.#filledAt) / 1000;
    this.#filledAt = this.#clock.now();
    this.#units = Math.min(BURST, this.#units + seconds * PER_SECOND);
  }
}
