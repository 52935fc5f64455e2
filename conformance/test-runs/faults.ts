import { JOINT_NAMES } from "../../robot/description/joints.ts";
import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import { processorShare } from "../runner/observe/processor-share.ts";
import { takePort } from "../runner/ports.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { BRIDGED_OUTAGE, CONFLICT_LIMIT, LOSS_LIMIT } from "./limits.ts";
import { overheatServo } from "./overheat-servo.ts";
import { startAndStop } from "./stops.ts";
import { LINKED_ROBOT, type TestRunPlan } from "./test-run-plan.ts";
import { waitUntilReconnected } from "./wait-until-reconnected.ts";

/** Seconds of an outage that the SDK bridges by far, and of one that it does not. */
const SHORT_OUTAGE_S = 0.4 * BRIDGED_OUTAGE;
const LONG_OUTAGE_S = 1.3 * BRIDGED_OUTAGE;
/** Seconds that an app runs on after an outage. */
const SETTLE_S = 0.5;

/** The daemon closes all connections while the app runs, first for a moment, then for longer. */
export const daemonLost: TestRunPlan = {
  id: "daemon-lost",
  title: `Daemon unreachable for ${SHORT_OUTAGE_S} s, then for ${LONG_OUTAGE_S} s`,
  seconds: 17,
  execute: (bed) => loseDaemon(bed, () => bed.tap.dropConnections(), bridgeOutage),
};

/** The daemon goes silent while the app runs: its connections stay open. */
export const daemonSilent: TestRunPlan = {
  id: "daemon-silent",
  title: `Daemon silent for ${LONG_OUTAGE_S} s`,
  seconds: 14,
  execute: (bed) => loseDaemon(bed, () => bed.tap.goSilent()),
};

/** A short outage before the long one. An app that ends in it has ended when the daemon was lost. */
async function bridgeOutage(bed: TestBed, run: LiveAppRun): Promise<void> {
  const { connections } = run;
  const cpuShare = measureCpu(bed);
  await disconnectForAMoment(bed, run);
  const [reconnected, ended] = [run.connections > connections, run.hasEnded];
  bed.facts.shortOutage = { seconds: SHORT_OUTAGE_S, reconnected, ended };
  if (ended) bed.facts.daemonLosses = { [bed.options.id]: { cpu: cpuShare(), reconnected, ended } };
}

/** An outage that the SDK bridges, and some time after it. */
export async function disconnectForAMoment(bed: TestBed, run: LiveAppRun): Promise<void> {
  const { connections } = run;
  bed.recordAction(`disconnect the daemon for ${SHORT_OUTAGE_S} s`);
  bed.tap.dropConnections();
  await bed.letRun(run, SHORT_OUTAGE_S);
  bed.tap.restore();
  await waitUntilReconnected(bed, run, connections, BRIDGED_OUTAGE - SHORT_OUTAGE_S);
  if (!run.hasEnded) await bed.letRun(run, SETTLE_S);
}

async function loseDaemon(
  bed: TestBed,
  lose: () => void,
  firstOutage: (bed: TestBed, run: LiveAppRun) => Promise<void> = async () => {},
): Promise<void> {
  const run = await bed.start();
  if (!(await bed.waitForMilestone(run, "running"))) return bed.stop(run);
  await bed.randomDelay(0.3, 1.2);
  if (!run.hasEnded) await firstOutage(bed, run);
  if (run.hasEnded) return bed.waitForEnd(run);
  await bed.recordEndRequest(run, "daemon-lost");
  const { connections } = run;
  const cpuShare = measureCpu(bed);
  lose();
  await bed.letRun(run, LONG_OUTAGE_S);
  const cpu = cpuShare();
  bed.tap.restore();
  await waitUntilReconnected(bed, run, connections, LOSS_LIMIT - LONG_OUTAGE_S);
  const loss = { cpu, reconnected: run.connections > connections, ended: run.hasEnded };
  bed.facts.daemonLosses = { [bed.options.id]: loss };
  await bed.stop(run, "daemon-lost");
}

/** Returns a function that returns the share of a processor that the app has used since. */
function measureCpu(bed: TestBed): () => number {
  const before = bed.log.usage;
  return () => processorShare(before, bed.log.usage);
}

/** The simulation runs at a third of real time, and every message is 200 ms late. */
export const slowRobot: TestRunPlan = {
  id: "slow-robot",
  title: "Slow simulation and 200 ms of latency",
  setup: { robotSim: ["--speed", "0.35"] },
  seconds: 20,
  async execute(bed) {
    bed.tap.setDelay(200);
    await startAndStop(bed, "running", 1, 2);
  },
};

/** Faults one after the other: their number, and the seconds that each lasts. */
const FAULTS = 3;
const FAULT_S = 1.2;

/** Servos overheat one after the other while the app moves the robot: three joints, or all with --thorough. */
export const servoFault: TestRunPlan = {
  id: "servo-fault",
  title: "Servo faults while the app runs",
  setup: LINKED_ROBOT,
  seconds: 14,
  async execute(bed) {
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running")) {
      await bed.randomDelay(0.3, 1);
      bed.log.expectsFaults = true;
      const joints = shuffled(JOINT_NAMES, bed.random).slice(
        0,
        bed.options.thoroughness === "thorough" ? JOINT_NAMES.length : FAULTS,
      );
      const faults: string[] = [];
      for (const joint of joints) {
        if (run.hasEnded) break;
        bed.recordAction(`${joint} overheats for ${FAULT_S} s`);
        if (await overheatServo(bed, run, joint, FAULT_S)) faults.push(`${joint} overheated`);
      }
      if (faults.length > 0) bed.facts.faults = { faults, ended: run.hasEnded };
    }
    await bed.stop(run);
  },
};

/** The items in random order (Fisher and Yates). */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other] as T, list[at] as T];
  }
  return list;
}

/** Another program listens on the port of its page. */
export const portTaken: TestRunPlan = {
  id: "port-taken",
  title: "Port of the settings page taken",
  needsPage: true,
  seconds: 4,
  async execute(bed) {
    const server = await takePort(bed.options.app.page?.port ?? 0);
    bed.onClose(() => server.close());
    bed.recordAction("take the port of the page");
    const run = await bed.start();
    run.endCause = "port-taken";
    // It may take its time to start.
    if (await bed.waitForMilestone(run, "connected")) await bed.letRun(run, CONFLICT_LIMIT);
    await (run.hasEnded ? bed.waitForEnd(run) : bed.stop(run, "port-taken"));
    server.close();
  },
};
