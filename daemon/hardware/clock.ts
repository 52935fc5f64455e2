/** Time as the robot's process sees it, handed in so that a test can run it. */
export interface Clock {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Milliseconds since the Unix epoch. */
  unixTime(): number;
  /** Calls back once, not earlier than `ms` milliseconds from here up to timer resolution; the result cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** This machine's clock and this process's timers, for composition roots to hand in. */
export const systemClock: Clock = {
  now: () => performance.now(),
  unixTime: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
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
