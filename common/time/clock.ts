/** Time as a dependency, so that tests can use a `ManualClock`. */
export interface Clock {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Milliseconds since the Unix epoch. */
  unixTime(): number;
  /** Calls back once, `ms` milliseconds from now or up to a timer tick earlier; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** A clock with timers that are exact to a fraction of a millisecond. They block the thread for the last millisecond. */
export interface PreciseClock extends Clock {
  /** Calls back once at `time`, in milliseconds of `now`; returns a function that cancels it. */
  at(time: number, callback: () => void): () => void;
}

/** Milliseconds by which timers are usually late, since they count whole milliseconds. */
const TIMER_SLACK = 1;
const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Blocks this thread without using the processor; exact to a tenth of a millisecond, unlike timers. */
const block = (ms: number): unknown => ms > 0 && Atomics.wait(neverNotified, 0, 0, ms);

/** Newer versions of Node warn of a negative time, which is that of something late. */
const notNegative = (ms: number): number => Math.max(0, ms);

/** The clock of this machine. Only the programs (programs/) pass it on. */
export const systemClock: PreciseClock = {
  now: () => performance.now(),
  unixTime: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, notNegative(ms));
    return () => clearTimeout(timer);
  },
  at: (time, callback) => {
    const early = Math.floor(time - performance.now()) - TIMER_SLACK;
    const timer = setTimeout(() => {
      block(time - performance.now());
      callback();
    }, notNegative(early));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds, or immediately when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener("abort", done);
  });
}
