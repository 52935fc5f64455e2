import type { PreciseClock } from "./clock.ts";

interface Timer {
  at: number;
  callback: () => void;
}

/** Unix time at which a manual clock starts; far from 0, so that a mix-up of `now` and `unixTime` shows. */
export const UNIX_START = Date.UTC(2020, 0, 1);

/** A clock for tests that stands still until a test advances it. `now` starts at 0, `unixTime` on 1 January 2020. */
export class ManualClock implements PreciseClock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now = (): number => this.#now;
  unixTime = (): number => UNIX_START + this.#now;

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  at(time: number, callback: () => void): () => void {
    return this.after(time - this.#now, callback);
  }

  /** Runs the timers of the next `ms` milliseconds in order, without letting promises settle in between. */
  advance(ms: number): void {
    const end = this.#now + ms;
    while (this.#runEarliest(end));
    this.#now = end;
  }

  /**
   * Runs the timers of the next `ms` milliseconds in order. Before the first one and after each one, promises settle and
   * messages between threads arrive.
   */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.#now + ms;
    await nextTurn();
    while (this.#runEarliest(end)) await nextTurn();
    this.#now = end;
  }

  /** Runs the earliest timer that is due by `end`; false when there is none. Of equal ones, the first that was set. */
  #runEarliest(end: number): boolean {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
    }
    if (first === undefined) return false;
    this.#timers.delete(first);
    this.#now = first.at;
    first.callback();
    return true;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Virtual milliseconds after which `advanceUntil` gives up. */
const TIMEOUT_MS = 20_000;

/** Advances the clock until the condition holds. @throws Error after 20 virtual seconds */
export async function advanceUntil(clock: ManualClock, condition: () => boolean): Promise<void> {
  const deadline = clock.now() + TIMEOUT_MS;
  while (!condition()) {
    if (clock.now() > deadline) throw new Error(`not within ${TIMEOUT_MS / 1000} virtual seconds`);
    await clock.advanceAsync(10);
  }
}

/** Advances the clock until the promise settles, and settles as it does. */
export async function advanceUntilSettled<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let pending = true;
  const done = (): void => {
    pending = false;
  };
  promise.then(done, done);
  await advanceUntil(clock, () => !pending);
  return promise;
}
