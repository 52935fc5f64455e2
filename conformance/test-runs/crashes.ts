import { ERROR_SIGNAL } from "../runner/app/trace-instrument.ts";
import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { GRACE_PERIOD } from "./limits.ts";
import { startAndStop } from "./stops.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

/** Seconds within which the errors must end the app. */
const ERROR_S = 4;
/** How many errors are raised in that time. */
const ERRORS = 2;
/** Seconds until an error that the app postponed is raised again. */
const POSTPONED_S = 0.1;

/** An error is raised in run(), then the app is restarted. */
export const errorInRun: TestRunPlan = {
  id: "error-in-run",
  title: "Error in run(), then a restart",
  instrumented: true,
  seconds: 7,
  async execute(bed) {
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running")) {
      await bed.randomDelay(0.2, 1.2);
      for (let count = 0; count < ERRORS && !run.hasEnded && run.runLeftAt === null; count += 1) {
        // run() may have ended: then the signal has no handler any more.
        await bed.letEnd(run);
        if (run.hasEnded) break;
        // The grace period starts again with each error, because the app may have handled the one before.
        await bed.recordEndRequest(run, "error");
        await raiseError(bed, run);
      }
    }
    // An error that has left run() ends the process soon. Before that, run() may still handle it.
    if (!run.hasEnded) await bed.letRun(run, run.runLeftAt === null ? GRACE_PERIOD - ERROR_S : GRACE_PERIOD);
    await bed.readTraceMarkers(run);
    if (run.hasEnded) await bed.waitForEnd(run);
    else {
      run.stoppedAfterError = run.endCause === "error" && run.runLeftAt === null;
      await bed.stop(run, run.endCause === "error" ? "error" : "stop");
    }
    await restart(bed);
  },
};

/** Raises an error in the app and gives it time to end the app. Raises it again when the app was starting a process. */
async function raiseError(bed: TestBed, run: LiveAppRun): Promise<void> {
  const end = bed.now() + ERROR_S / ERRORS;
  bed.signal(run, ERROR_SIGNAL);
  let { errorsPostponed } = run;
  while (!run.hasEnded && bed.now() < end) {
    await bed.letRun(run, POSTPONED_S);
    await bed.readTraceMarkers(run);
    if (run.errorsPostponed > errorsPostponed) bed.signal(run, ERROR_SIGNAL);
    errorsPostponed = run.errorsPostponed;
  }
}

/** Killed with SIGKILL, then restarted. */
export const killed: TestRunPlan = {
  id: "killed",
  title: "SIGKILL, then a restart",
  seconds: 6,
  async execute(bed) {
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running")) {
      await bed.randomDelay(0.2, 1.5);
      await kill(bed, run);
    } else await bed.stop(run);
    await restart(bed);
  },
};

/** Kills the app with SIGKILL unless it has ended, and waits as `waitForEnd` of the test bed. */
export async function kill(bed: TestBed, run: LiveAppRun): Promise<void> {
  if (!run.hasEnded) {
    await bed.recordEndRequest(run, "kill");
    bed.signal(run, "SIGKILL");
  }
  await bed.waitForEnd(run);
}

const restart = (bed: TestBed) => startAndStop(bed, "running", 0.1, 0.4);
