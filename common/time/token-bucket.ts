/** A rate limit with bursts: holds up to `burst` tokens, and gains `perSecond` of them each second. Starts full. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  /**
   * @param burst tokens that can be taken at the same time
   * @param perSecond tokens gained each second
   * @param now milliseconds of a clock that only goes forward
   */
  constructor(burst: number, perSecond: number, now: () => number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
    this.#tokens = burst;
    this.#filledAt = now();
  }

  /** Number of tokens that could be taken now; not a whole number in general. */
  get tokens(): number {
    const now = this.#now();
    const seconds = Math.max(0, now - this.#filledAt) / 1000;
    this.#filledAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + seconds * this.#perSecond);
    return this.#tokens;
  }

  /** Takes `count` tokens, or none when there are fewer; returns whether it took them. */
  take(count = 1): boolean {
    if (this.tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}
