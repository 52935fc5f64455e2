import { join } from "node:path";
import { launchApp } from "../runner/app/launch-app.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { CONNECT_LIMIT, GRACE_PERIOD } from "./limits.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

/**
 * Runs the app in the main thread, as its main block does. A line on standard input sets its stop event, or calls stop()
 * in another thread.
 */
const STOP_WITHOUT_SIGNAL = `
import importlib, sys, threading
app = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])()
def wait():
    if "stop-method" in sys.stdin.readline():
        app.stop()
    else:
        app.stop_event.set()
threading.Thread(target=wait, daemon=True).start()
app.wrapped_run()
`;

/** Run from a terminal in another folder, without a standard input. */
export const runByHand: TestRunPlan = {
  id: "run-by-hand",
  title: "Run by hand in another folder, without standard input",
  seconds: 4,
  async execute(bed) {
    const cwd = join(bed.rig.appFolders.elsewhere, "an unrelated földer");
    bed.recordAction(`python -u -m ${bed.options.app.module} in another folder`);
    const { run, signal, kill } = await launchApp(bed, {
      args: ["-u", "-m", bed.options.app.module],
      cwd,
      stdin: "closed",
    });
    if (await bed.waitForMilestone(run, "running", CONNECT_LIMIT)) await bed.randomDelay(0.5, 1);
    if (run.hasEnded) return bed.waitForEnd(run);
    await bed.recordEndRequest(run, "stop");
    signal("SIGINT");
    await bed.letRun(run, GRACE_PERIOD);
    kill();
    await bed.waitForEnd(run);
  },
};

/** Ended by its stop event alone, then by its stop() method alone. */
export const stopEventAlone: TestRunPlan = {
  id: "stop-event-alone",
  title: "Stop event set, then stop() called, without a signal",
  seconds: 7,
  async execute(bed) {
    await stopWithoutSignal(bed, "stop-event");
    await stopWithoutSignal(bed, "stop-method");
  },
};

async function stopWithoutSignal(bed: TestBed, cause: "stop-event" | "stop-method"): Promise<void> {
  const { module, className } = bed.options.app;
  const cwd = join(bed.rig.appFolders.elsewhere, "work");
  const args = ["-u", "-c", STOP_WITHOUT_SIGNAL, module, className];
  const { run, writeToStdin, kill } = await launchApp(bed, { args, cwd, stdin: "pipe" });
  if (await bed.waitForMilestone(run, "running", CONNECT_LIMIT)) await bed.randomDelay(0.3, 1);
  if (run.hasEnded) return bed.waitForEnd(run);
  await bed.recordEndRequest(run, cause);
  writeToStdin(`${cause}\n`);
  await bed.letRun(run, GRACE_PERIOD);
  kill();
  await bed.waitForEnd(run);
}
