import type { LiveAppRun, Milestone } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { GRACE_PERIOD } from "./limits.ts";
import { LINKED_ROBOT, type TestRunPlan } from "./test-run-plan.ts";

/** Starts the app, and stops it at a random moment after a milestone, from `shortest` to `longest` seconds. */
export async function startAndStop(
  bed: TestBed,
  milestone: Milestone,
  shortest: number,
  longest: number,
): Promise<LiveAppRun> {
  const run = await bed.start();
  if (await bed.waitForMilestone(run, milestone)) await bed.randomDelay(shortest, longest);
  await bed.stop(run);
  return run;
}

const GOTO_LIMIT = 5;

/** Seconds before the connection: the last moment at which an app that ignores SIGINT until then is still killed. */
const LATE_S = GRACE_PERIOD + 1;

/**
 * Stopped at a random moment after the start of the process, after the start of its interpreter, and, where the app takes
 * long to start, as late as it matters.
 */
export const stopWhileImporting: TestRunPlan = {
  id: "stop-while-importing",
  title: "Stop while importing, two or three times",
  instrumented: true,
  seconds: 4,
  async execute(bed) {
    const startup = bed.options.startupSeconds ?? (await measureStartup(bed));
    const moments = [
      { milestone: "process", from: 0, to: 0.3 },
      { milestone: "interpreter", from: 0, to: Math.max(0.3, startup / 2) },
      { milestone: "process", from: startup - LATE_S - 0.3, to: startup - LATE_S },
    ] as const;
    for (const moment of moments.filter(({ from }) => from >= 0)) await stopBeforeConnection(bed, moment);
  },
};

interface StopWindow {
  milestone: Milestone;
  /** Seconds after it. */
  from: number;
  to: number;
}

/**
 * Starts an app may take to be stopped before it connects, the last one without a delay; later starts can be much faster
 * than the first one, and an app that lasts a moment can have ended by itself.
 */
const TRIES = 3;

async function stopBeforeConnection(bed: TestBed, { milestone, from, to }: StopWindow): Promise<void> {
  let longest = to;
  for (let left = TRIES; left > 0; left -= 1) {
    const run = await startAndStop(bed, milestone, from, longest);
    const { connectedAt, startedAt, endRequestedAt } = run;
    const isTooLate = connectedAt !== null && connectedAt <= (endRequestedAt ?? Number.POSITIVE_INFINITY);
    if (!isTooLate || from > 0) return;
    longest = left === 2 ? 0 : Math.min(longest, (connectedAt - startedAt) / 3);
  }
}

/** `startupSeconds` of an app, for a certification without `first-run`; 0 when it never connects. */
async function measureStartup(bed: TestBed): Promise<number> {
  const run = await bed.start();
  await bed.waitForMilestone(run, "connected");
  await bed.stop(run);
  return run.startupSeconds ?? 0;
}

/** Stopped while it waits for the daemon to accept its connection. */
export const stopWhileConnecting: TestRunPlan = {
  id: "stop-while-connecting",
  title: "Stop while connecting",
  seconds: 3,
  async execute(bed) {
    bed.tap.holdConnections();
    await startAndStop(bed, "connect-attempt", 0, 0.5);
    bed.tap.releaseConnections();
  },
};

/** Stopped as soon as it is connected, and at two moments of its first second. */
export const stopEarly: TestRunPlan = {
  id: "stop-early",
  title: "Stop soon after the start, three times",
  instrumented: true,
  seconds: 9,
  async execute(bed) {
    for (const longest of [0, 0.3, 1]) await startAndStop(bed, longest === 0 ? "connected" : "running", 0, longest);
  },
};

/** Stopped in the middle of a goto, if the app starts one in its first seconds. */
export const stopDuringGoto: TestRunPlan = {
  id: "stop-during-goto",
  title: "Stop during a goto",
  // A robot behind a link: here not even the daemon's status tells the app that it is simulated.
  setup: LINKED_ROBOT,
  seconds: 7,
  async execute(bed) {
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running")) {
      const goto = await bed
        .waitFor(GOTO_LIMIT, "a goto runs", () => run.hasEnded || run.runningGotoAt(bed.now()))
        .catch(() => null);
      if (goto !== null && goto !== true) await bed.randomDelay(0, 0.7 * (goto.until - bed.now()));
    }
    await bed.stop(run);
  },
};

/** Stopped, then interrupted a second time while it cleans up. */
export const secondSigint: TestRunPlan = {
  id: "second-sigint",
  title: "Stop, then a second SIGINT during the clean-up",
  seconds: 4,
  async execute(bed) {
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running")) {
      await bed.randomDelay(0.2, 1);
      const stopped = bed.stop(run, "second-sigint");
      await bed.waitFor(5, "the app is asked to stop", () => run.endRequestedAt !== null || run.hasEnded);
      await bed.randomDelay(0.05, 0.25);
      if (!run.hasEnded && run.pid !== null) {
        bed.recordAction("second SIGINT");
        bed.signal(run, "SIGINT");
      }
      await stopped;
    } else await bed.stop(run);
  },
};
