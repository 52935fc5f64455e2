import type { PreciseClock } from "../clock.ts";

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock that stands until it is told how far to go; for tests and for running faster than real time. */
export class ManualClock implements PreciseClock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now = (): number => this.#now;
  unixTime = (): number => this.#now;

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  at(time: number, callback: () => void): () => void {
    return this.after(time - this.#now, callback);
  }

  /** Runs the timers of the next `ms` milliseconds in order, with everything that follows from each before the next. */
  async run(ms: number): Promise<void> {
    const end = this.#now + ms;
    await nextTurn();
    for (let timer = this.#earliest(end); timer !== undefined; timer = this.#earliest(end)) {
      this.#timers.delete(timer);
      this.#now = timer.at;
      timer.callback();
      await nextTurn();
    }
    this.#now = end;
  }

  #earliest(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
    }
    return first;
  }
}

/** Lets promises settle and messages between threads arrive. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
