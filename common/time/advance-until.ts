import type { ManualClock } from "./manual-clock.ts";

/** Virtual milliseconds to wait at most. */
const TIMEOUT_MS = 20_000;

/** Advances the clock until the condition holds. */
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
