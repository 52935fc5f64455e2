import type { TestBed } from "../runner/test-bed.ts";
import { kill } from "./crashes.ts";
import { disconnectForAMoment } from "./faults.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

/** Seconds that a certification may take at most. */
const LONGEST_S = 3600;
/** Seconds within which it is stopped or killed, once the others are about to end. */
const END_S = 2;
/** Seconds at the earliest until the outage: an app first moves to where it begins. */
const OUTAGE_S = 2;

/**
 * Runs beside all others: is stopped after a short outage, then runs until the others are about to end, is stopped or killed
 * at a random moment, and started again.
 */
export const longRun: TestRunPlan = {
  id: "long-run",
  title: "A stop after an outage, a run as long as the others take, then a restart",
  seconds: 15,
  outlasts: true,
  async execute(bed) {
    await stopAfterOutage(bed);
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running")) {
      const isOver = () => run.hasEnded || bed.options.othersEnd();
      await bed.waitFor(LONGEST_S, "the other test runs end", isOver);
      if (!run.hasEnded) await bed.randomDelay(0, END_S);
      await (!run.hasEnded && bed.random() < 0.5 ? kill(bed, run) : bed.stop(run));
    } else await bed.stop(run);
    const again = await bed.start();
    await bed.waitForMilestone(again, "running");
    await bed.stop(again);
  },
};

async function stopAfterOutage(bed: TestBed): Promise<void> {
  const run = await bed.start();
  if (!(await bed.waitForMilestone(run, "running")) || run.hasEnded) return bed.stop(run);
  await bed.letRun(run, OUTAGE_S + 2 * bed.random());
  if (run.hasEnded) return bed.waitForEnd(run);
  await bed.recordEndRequest(run, "daemon-lost");
  await disconnectForAMoment(bed, run);
  await bed.stop(run, "daemon-lost");
}
