import type { ManualClock } from "../../hardware/manual-clock.ts";

/** Virtual milliseconds after which something that should have happened is given up. */
const PATIENCE_MS = 20_000;

/** Lets time pass until the condition holds. */
export async function until(clock: ManualClock, condition: () => boolean): Promise<void> {
  const deadline = clock.now() + PATIENCE_MS;
  while (!condition()) {
    if (clock.now() > deadline) throw new Error(`not within ${PATIENCE_MS / 1000} virtual seconds`);
    await clock.run(10);
  }
}

/** Lets time pass until the promise settles, and settles like it. */
export async function settle<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let pending = true;
  const done = (): void => {
    pending = false;
  };
  promise.then(done, done);
  await until(clock, () => !pending);
  return promise;
}
