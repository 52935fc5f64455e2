import { JOINT_NAMES } from "../../robot/description/joints.ts";
import { takePort } from "../runner/ports.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { CONFLICT_LIMIT, CONNECT_LIMIT } from "./limits.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

/** Seconds without a daemon, and seconds after that in which the app must reconnect. */
const OUTAGE_S = 5;
const RECONNECT_S = 5;

/** The daemon closes all connections while the app runs, and is reachable again after some seconds. */
export const daemonLost: TestRunPlan = {
  id: "daemon-lost",
  title: "Daemon unreachable for 5 s",
  seconds: 14,
  execute: (bed) => loseDaemon(bed, () => bed.tap.dropConnections()),
};

/** The daemon goes silent while the app runs: its connections stay open. */
export const daemonSilent: TestRunPlan = {
  id: "daemon-silent",
  title: "Daemon silent for 5 s",
  seconds: 14,
  execute: (bed) => loseDaemon(bed, () => bed.tap.goSilent()),
};

async function loseDaemon(bed: TestBed, lose: () => void): Promise<void> {
  const run = await bed.start();
  if (!(await bed.waitForMilestone(run, "running", CONNECT_LIMIT))) return bed.stop(run);
  await bed.randomDelay(0.3, 1.2);
  if (run.hasEnded) return bed.waitForEnd(run);
  await bed.recordEndRequest(run, "daemon-lost");
  const [before, since, connections] = [bed.log.usage.cpu, bed.now(), run.connections];
  lose();
  await bed.letRun(run, OUTAGE_S);
  const cpu = (bed.log.usage.cpu - before) / Math.max((run.exitedAt ?? bed.now()) - since, 1);
  bed.tap.restore();
  await bed
    .waitFor(RECONNECT_S, "the app reconnects", () => run.hasEnded || run.connections > connections)
    .catch(() => bed.options.host.signal.throwIfAborted());
  const loss = { cpu, reconnected: run.connections > connections, ended: run.hasEnded };
  bed.facts.daemonLosses = { [bed.options.id]: loss };
  await bed.stop(run, "daemon-lost");
}

/** The simulation runs at a third of real time, and every message is 200 ms late. */
export const slowRobot: TestRunPlan = {
  id: "slow-robot",
  title: "Slow simulation and 200 ms of latency",
  setup: { robotSim: ["--speed", "0.35"] },
  seconds: 20,
  async execute(bed) {
    bed.tap.setDelay(200);
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running", CONNECT_LIMIT)) await bed.randomDelay(1, 2);
    await bed.stop(run);
  },
};

/** Faults one after the other: their number, and the seconds that each lasts. */
const FAULTS = 3;
const FAULT_S = 1.2;

/** Servos overload one after the other while the app moves the robot: three joints, or all with --thorough. */
export const servoFault: TestRunPlan = {
  id: "servo-fault",
  title: "Servo faults while the app runs",
  setup: { robotSim: [] },
  seconds: 14,
  async execute(bed) {
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running", CONNECT_LIMIT)) {
      await bed.randomDelay(0.3, 1);
      bed.log.expectsFaults = true;
      const joints = shuffled(JOINT_NAMES, bed.random).slice(0, bed.options.thorough ? JOINT_NAMES.length : FAULTS);
      const faults: string[] = [];
      for (const joint of joints) {
        if (run.hasEnded) break;
        const fault = `overload:servo=${joint},for=${FAULT_S}`;
        faults.push(fault);
        bed.recordAction(`fault ${fault}`);
        await bed.rig.robotSim?.injectFault(fault);
        await bed.letRun(run, FAULT_S + 0.3);
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
    await bed.letRun(run, CONFLICT_LIMIT);
    await (run.hasEnded ? bed.waitForEnd(run) : bed.stop(run, "port-taken"));
    server.close();
  },
};
