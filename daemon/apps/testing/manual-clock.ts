import type { Clock } from "../../clock.ts";

/** When its time begins, so that nobody can take one of its two times for the other. */
const BEGINNING = Date.UTC(2020, 0, 1);

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = 0;
  #timers: { at: number; then: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  unixTime(): number {
    return BEGINNING + this.#now;
  }

  after(milliseconds: number, then: () => void): () => void {
    const timer = { at: this.#now + milliseconds, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass, and all that is due in it happen in its order. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.then();
    }
    this.#now = end;
  }
}
