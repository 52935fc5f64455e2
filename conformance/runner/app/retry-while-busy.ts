import { type Clock, sleep } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Time in which another program has made an environment, over a slow network. */
const BUSY_LIMIT_MS = 10 * 60_000;
const RETRY_MS = 500;

/**
 * Does work on an environment, again for as long as another program changes that: workers that start at the same time all
 * need it.
 * @throws WorkbenchError `app-busy` after ten minutes; what the work throws; the signal's reason
 */
export async function retryWhileBusy<T>(work: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  const startedAt = clock.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof WorkbenchError && error.code === "app-busy";
      if (!isBusy || clock.now() - startedAt > BUSY_LIMIT_MS) throw error;
      await sleep(clock, RETRY_MS, signal);
      signal.throwIfAborted();
    }
  }
}
