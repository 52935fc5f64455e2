import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { EXIT_LIMIT } from "./limits.ts";

/** Lets an app whose run() has returned end, so that it is not asked for what it does by itself. */
export async function letEnd(bed: TestBed, run: LiveAppRun): Promise<void> {
  await bed.readTraceMarkers(run);
  if (run.runLeftAt !== null || run.disconnectedAt !== null) await bed.letRun(run, EXIT_LIMIT);
}
