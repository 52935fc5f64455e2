import type { Clock } from "./clock.ts";

/** The real clock and timers of this process. Only composition roots and tests make one. */
export const systemClock = (): Clock => ({
  now: () => performance.now(),
  unixTime: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
});
