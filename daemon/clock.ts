/** Time, handed in so that a test can run it. */
export interface Clock {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Milliseconds since the Unix epoch. */
  unixTime(): number;
  /** Calls back once, not earlier than `ms` milliseconds from here up to timer resolution; the result cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** For what must be on time to a fraction of a millisecond, at the price of a thread that stands still meanwhile. */
export interface PreciseClock extends Clock {
  /** Calls back once at `time`, milliseconds of `now`, as exactly as this machine can; the result cancels it. */
  at(time: number, callback: () => void): () => void;
}

/** Milliseconds by which timers are commonly late, as they count whole ones. */
const TIMER_SLACK = 1;
const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Blocks this thread, without using the processor; good to a tenth of a millisecond, which timers are not. */
const pause = (ms: number): unknown => ms > 0 && Atomics.wait(nobody, 0, 0, ms);

/** This machine's clock and this process's timers, for composition roots to hand in. */
export const systemClock: PreciseClock = {
  now: () => performance.now(),
  unixTime: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  at: (time, callback) => {
    const early = Math.floor(time - performance.now()) - TIMER_SLACK;
    const timer = setTimeout(() => {
      pause(time - performance.now());
      callback();
    }, early);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
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
