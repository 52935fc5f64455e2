import { type Clock, sleep } from "./clock.ts";

/**
 * Spaces calls evenly: each resolves when its turn has come. Time that passes without a call is not made up for.
 * @param interval milliseconds between two calls
 * @returns a function that waits; it throws the signal's reason
 */
export function limitRate(interval: number, clock: Clock, signal: AbortSignal): () => Promise<void> {
  let next = clock.now();
  return async () => {
    const turn = Math.max(next, clock.now());
    next = turn + interval;
    if (turn > clock.now()) await sleep(clock, turn - clock.now(), signal);
    signal.throwIfAborted();
  };
}
