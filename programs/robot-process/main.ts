import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parseArgs } from "node:util";
import { keepHeapLean } from "../../common/machine/lean-heap.ts";
import { endProcesses } from "../../common/machine/process-tree.ts";
import { sleep, systemClock } from "../../common/time/clock.ts";
import { ParentPort } from "../../daemon/robot-process/channel/parent-port.ts";
import { serveRobot } from "../../daemon/robot-process/channel/serve-robot.ts";
import { createRobot, type RobotController } from "../../daemon/robot-process/control/robot-controller.ts";
import { openLink } from "../../daemon/robot-process/hardware/link/open.ts";
import { reconnectingSimulation } from "../../daemon/robot-process/reconnecting-simulation.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";

/*
 * The robot process: bus master and control loop, undisturbed by the HTTP load of the daemon's main process, which forks
 * this one and calls it over the IPC channel. When the main process is gone, even by SIGKILL, this process ends the app
 * that it left behind, moves the robot to its default pose, and ends.
 */

/** Milliseconds after the end of the main process within which this one has ended too. */
const ORPHANED_MS = 1800;
/** How it ends the app: with a second for its own clean-up. */
const END_APP = [
  { signal: "SIGINT", waitMs: 1000 },
  { signal: "SIGKILL", waitMs: 500 },
] as const;

keepHeapLean();

try {
  // Before any thread is made: threads inherit it. A late goal is a visible jerk, a late page is not.
  setPriority(constants.priority.PRIORITY_HIGH);
  // Linux shares the processor among sessions first, and an app has one of its own, as this process has (sched(7)).
  writeFileSync("/proc/self/autogroup", String(constants.priority.PRIORITY_HIGH));
} catch {
  // Only a privileged process may. The control loop then has the same priority as everything else.
}

const { values } = parseArgs({
  options: {
    /** `sim`, `serial`, `serial:PATH` or `tcp://HOST:PORT`. */
    link: { type: "string", default: "serial" },
    "at-close": { type: "string", default: "sleep" },
    seed: { type: "string", default: "1" },
    /** Gives a simulated robot the wireless robot's inertial sensor. */
    "inertial-sensor": { type: "boolean", default: false },
    /** V of a simulated robot's power supply. */
    supply: { type: "string" },
    /** For a process that replaces a lost one: whether the motors were enabled, and whether the robot was awake. */
    "motors-were-enabled": { type: "boolean", default: false },
    "was-awake": { type: "boolean", default: false },
    /** And whether it owes a return to the default pose, and the process group of the app that moves it. */
    "return-owed": { type: "boolean", default: false },
    "app-group": { type: "string" },
  },
});

function simulatedRobot() {
  const supply = values.supply === undefined ? {} : { supply: Number(values.supply) };
  const inertialSensor = values["inertial-sensor"];
  const options = { now: systemClock.now, seed: Number(values.seed), inertialSensor, ...supply };
  return reconnectingSimulation(async () => {
    const { link } = await createLocalLink(options);
    // An engine that has failed stays damaged in this process; the main process starts another.
    link.onClose((failure) => {
      if (failure !== undefined) throw failure;
    });
    return link;
  });
}

async function endWithoutMainProcess(robot: RobotController): Promise<void> {
  const { group } = robot.appSession;
  const appEnded = group && endProcesses({ group: group.pid }, systemClock, END_APP);
  const returned = robot.endAppSession().catch(() => undefined);
  await Promise.race([Promise.all([appEnded, returned]), sleep(systemClock, ORPHANED_MS)]);
  process.exit(0);
}

const port = new ParentPort(process);
const robot = createRobot({
  ...(values.link === "sim" ? simulatedRobot() : { open: () => openLink(values.link) }),
  hasInertialSensor: values["inertial-sensor"],
  clock: systemClock,
  atClose: values["at-close"] === "stay" ? "stay" : "sleep",
  previous: {
    awake: values["was-awake"],
    motorMode: values["motors-were-enabled"] ? "enabled" : "disabled",
    isReturnOwed: values["return-owed"],
  },
});
if (values["app-group"] !== undefined) void robot.beginAppSession({ pid: Number(values["app-group"]) });
serveRobot(robot, port, () => process.disconnect());

// A terminal sends its signals to every process of the daemon's group; the main process decides what they mean.
process.on("SIGINT", () => undefined);
process.on("SIGHUP", () => undefined);
process.on("SIGTERM", () => undefined);
port.onDisconnect(() => {
  if (robot.state.phase === "stopped") process.exit(0);
  void endWithoutMainProcess(robot);
});
