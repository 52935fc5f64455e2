/** Targets per second above which a loop has surely no pause; the fastest sensible loop has 100. */
const MAX_PER_SECOND = 500;
const WINDOW_MS = 1000;

/** Measures how many targets per second a client sends, and reports once when they are too many. */
export class TargetRate {
  readonly #now: () => number;
  readonly #onTooHigh: (perSecond: number) => void;
  #count = 0;
  #windowStart: number;
  #isReported = false;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number, onTooHigh: (perSecond: number) => void) {
    this.#now = now;
    this.#onTooHigh = onTooHigh;
    this.#windowStart = now();
  }

  countTarget(): void {
    if (this.#isReported) return;
    this.#count += 1;
    const elapsed = this.#now() - this.#windowStart;
    if (elapsed < WINDOW_MS) return;
    const perSecond = Math.round((1000 * this.#count) / elapsed);
    this.#count = 0;
    this.#windowStart += elapsed;
    if (perSecond <= MAX_PER_SECOND) return;
    this.#isReported = true;
    this.#onTooHigh(perSecond);
  }
}
