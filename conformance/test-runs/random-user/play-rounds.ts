import { describeEnd } from "../../requirements/requirement.ts";
import type { LiveAppRun } from "../../runner/observe/live-app-run.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { kill } from "../crashes.ts";
import { BRIDGED_OUTAGE, DEFAULT_POSE_TOLERANCE } from "../limits.ts";
import { overheatServo } from "../overheat-servo.ts";
import { waitUntilReconnected } from "../wait-until-reconnected.ts";
import { describeStep, type Round, type Step } from "./script.ts";

/** Seconds after an outage and the new connection in which the robot recovers. */
const RECOVER_S = 0.3;

/**
 * Plays what a user and the faults do with an app.
 * @returns what went wrong, as the end of a sentence about the app; null when nothing did
 */
export async function playRounds(bed: TestBed, rounds: readonly Round[]): Promise<string | null> {
  await bed.rig.emptyAppFolders();
  bed.tap.setDelay(0);
  for (const [at, { steps, end }] of rounds.entries()) {
    const run = await bed.start();
    if (!(await bed.waitForMilestone(run, "connected"))) {
      await bed.stop(run);
      if (run.exit?.code === 0 && run.connectedAt !== null) continue;
      return `did not connect at start ${at + 1}; it ${describeEnd(run)}`;
    }
    const problem = (await playSteps(bed, run, steps)) ?? (await endRun(bed, run, end));
    if (problem !== null) return problem;
  }
  return null;
}

/** Plays steps while the app runs; an app that ends meanwhile, with exit code 0 or by the fault of a servo, is done. */
async function playSteps(bed: TestBed, run: LiveAppRun, steps: readonly Step[]): Promise<string | null> {
  for (const step of steps) {
    if (!run.hasEnded) await playStep(bed, run, step);
    if (!run.hasEnded) continue;
    await bed.waitForEnd(run);
    // Whether an app survives the fault of a servo, RES-003 judges.
    if (run.exit?.code === 0 || step.do === "overheat") return null;
    return `${describeEnd(run)} after: ${describeStep(step)}`;
  }
  return null;
}

async function playStep(bed: TestBed, run: LiveAppRun, step: Step): Promise<void> {
  bed.recordAction(describeStep(step));
  const seconds = step.ms / 1000;
  switch (step.do) {
    case "wait":
      return bed.letRun(run, seconds);
    case "latency":
      return bed.tap.setDelay(step.ms);
    case "outage":
      return playOutage(bed, run, seconds);
    case "overheat":
      await overheatServo(bed, run, step.servo, seconds);
  }
}

/** Two outages must not become one for the app, which bridges the time until it is connected again. */
async function playOutage(bed: TestBed, run: LiveAppRun, seconds: number): Promise<void> {
  const { connections } = run;
  const wasConnected = run.openConnections.size > 0;
  bed.tap.dropConnections();
  await bed.letRun(run, seconds);
  bed.tap.restore();
  if (wasConnected) await waitUntilReconnected(bed, run, connections, BRIDGED_OUTAGE - seconds);
  await bed.letRun(run, RECOVER_S);
}

async function endRun(bed: TestBed, run: LiveAppRun, end: Round["end"]): Promise<string | null> {
  if (run.hasEnded) return null;
  if (end === "kill") await kill(bed, run);
  else {
    await bed.stop(run);
    const ran = run.phase === "running" || run.phase === "mid-goto";
    if (run.forceStopped || (ran && run.exit?.code !== 0)) return `${describeEnd(run.toJSON())} when it was stopped`;
    const [left] = run.leftoverProcesses;
    if (left !== undefined) return `left a process behind when it was stopped: ${left}`;
  }
  const isOff = run.motorsOn === false || (run.defaultPoseError ?? 0) > DEFAULT_POSE_TOLERANCE;
  return isOff ? `left the robot off its default pose by: ${end}` : null;
}
