import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pythonScript } from "../../common/machine/python-script.ts";
import { STOP_EVENT_NOT_SET } from "../evidence/app-run.ts";
import { launchApp } from "../runner/app/launch-app.ts";
import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { GRACE_PERIOD } from "./limits.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

const STOP_WITHOUT_SIGNAL = pythonScript("stop_without_signal.py", import.meta.url);

/** Milliseconds in which the output of a process is read after its end: what it has left may keep its pipes open. */
const OUTPUT_MS = 2000;

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
    if (await bed.waitForMilestone(run, "running")) await bed.randomDelay(0.5, 1);
    await bed.letEnd(run);
    if (run.hasEnded) return bed.waitForEnd(run);
    await bed.recordEndRequest(run, "stop");
    signal("SIGINT");
    await bed.letRun(run, GRACE_PERIOD);
    kill();
    await bed.waitForEnd(run);
  },
};

/** Seconds of running until the stop event is set, and until stop() is called: an app may end well in one of its phases only. */
const EARLY_S = [0.3, 1] as const;
const LATE_S = [5, 7] as const;
/** How often stop() is called again in an app that ended meanwhile, and when: earlier, so that it has not ended before. */
const RETRIES = 2;
const AT_ONCE_S = [0, 0.2] as const;

/** Ended by its stop event alone soon after the start, then by its stop() method alone after some seconds. */
export const stopEventAlone: TestRunPlan = {
  id: "stop-event-alone",
  title: "Stop event set, then stop() called, without a signal",
  seconds: 13,
  async execute(bed) {
    await stopWithoutSignal(bed, "stop-event", EARLY_S);
    let run = await stopWithoutSignal(bed, "stop-method", LATE_S);
    // A brief app can be asked early.
    const isBrief = run.endRequestedAt === null && run.connectedAt !== null;
    if (isBrief) run = await stopWithoutSignal(bed, "stop-method", EARLY_S);
    for (let tries = 0; tries < RETRIES && endedDuringStopCall(run); tries += 1)
      run = await stopWithoutSignal(bed, "stop-method", isBrief ? AT_ONCE_S : EARLY_S);
  },
};

/** Whether the app ended by itself while stop() was called, so that it is chance what was seen of stop(). */
export const endedDuringStopCall = ({
  endRequestedAt,
  stopMethod,
  runLeftAt,
  exit,
  forceStopped,
}: LiveAppRun): boolean =>
  endRequestedAt !== null &&
  !forceStopped &&
  exit?.code === 0 &&
  // With a stop() that ends the process, wrapped_run() does not return.
  (stopMethod === null || (stopMethod === "called" && runLeftAt !== null));

async function stopWithoutSignal(
  bed: TestBed,
  cause: "stop-event" | "stop-method",
  [shortest, longest]: readonly [number, number],
): Promise<LiveAppRun> {
  const { module, className } = bed.options.app;
  const cwd = join(bed.rig.appFolders.elsewhere, "work");
  const args = ["-u", "-c", STOP_WITHOUT_SIGNAL, module, className, String(STOP_EVENT_NOT_SET)];
  const secret = randomUUID();
  const onReport = (run: LiveAppRun, what: string) => {
    if (what === "returned") run.runLeftAt ??= bed.now();
    if (what === "called" || what === "sets-event") run.stopMethod = what;
  };
  const launched = await launchApp(bed, { args, cwd, stdin: "pipe", reports: { secret, onReport } });
  const { run, writeToStdin, kill, outputRead } = launched;
  if (await bed.waitForMilestone(run, "running")) await bed.letRun(run, shortest + (longest - shortest) * bed.random());
  await bed.letEnd(run);
  if (run.hasEnded) {
    await bed.waitForEnd(run);
    return run;
  }
  await bed.recordEndRequest(run, cause);
  writeToStdin(`${cause} ${secret}\n`);
  await bed.letRun(run, GRACE_PERIOD);
  kill();
  await bed.waitForEnd(run);
  await Promise.race([outputRead, setTimeout(OUTPUT_MS, undefined, { ref: false })]);
  return run;
}
