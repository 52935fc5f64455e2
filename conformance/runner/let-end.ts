import { EXIT_LIMIT } from "../test-runs/limits.ts";
import type { LiveAppRun } from "./observe/live-app-run.ts";
import type { TestBed } from "./test-bed.ts";

/** Lets an app end whose run() has returned or whose connections are closed, so that it is not asked for what it does by itself. */
export async function letEnd(bed: TestBed, run: LiveAppRun): Promise<void> {
  await bed.readTraceMarkers(run);
  if (run.runLeftAt !== null || run.disconnectedAt !== null) await bed.letRun(run, EXIT_LIMIT);
}
