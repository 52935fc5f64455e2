import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";

/**
 * Waits until the app has connected again, has ended, or `seconds` have passed.
 * @param connections how many connections it had before it lost the daemon
 */
export async function waitUntilReconnected(
  bed: TestBed,
  run: LiveAppRun,
  connections: number,
  seconds: number,
): Promise<void> {
  await bed
    .waitFor(seconds, "the app reconnects", () => run.hasEnded || run.connections > connections)
    .catch(() => bed.options.host.signal.throwIfAborted());
}
