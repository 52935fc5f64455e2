import { type Clock, sleep } from "../../../common/time/clock.ts";

const MINUTE_MS = 60_000;

/**
 * Spaces calls evenly: each resolves when its turn has come.
 * @param perMinute calls that may begin in a minute
 * @returns a function that waits; it throws the signal's reason
 */
export function limitRate(perMinute: number, clock: Clock, signal: AbortSignal): () => Promise<void> {
  let next = clock.now();
  return async () => {
    const turn = Math.max(next, clock.now());
    next = turn + MINUTE_MS / perMinute;
    if (turn > clock.now()) await sleep(clock, turn - clock.now(), signal);
    signal.throwIfAborted();
  };
}
