import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parseArgs } from "node:util";
import { limitYoungGeneration } from "../../common/machine/young-generation.ts";
import { systemClock } from "../../common/time/clock.ts";
import { TorqueState } from "../../daemon/robot-client/torque-state.ts";
import { openLink } from "../../daemon/robot-process/hardware/link/open.ts";
import { reconnectingSimulation } from "../../daemon/robot-process/reconnecting-simulation.ts";
import { runRobotProcess } from "../../daemon/robot-process/run-robot-process.ts";
import { ParentPort } from "../../daemon/robot-process/serve-robot.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";

limitYoungGeneration();

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
    /** For a process that replaces a lost one: the torque that was wanted, as JSON, and whether the robot was awake. */
    torque: { type: "string" },
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

runRobotProcess({
  ...(values.link === "sim" ? simulatedRobot() : { open: () => openLink(values.link) }),
  port: new ParentPort(process),
  hasInertialSensor: values["inertial-sensor"],
  clock: systemClock,
  atClose: values["at-close"] === "stay" ? "stay" : "sleep",
  previous: {
    awake: values["was-awake"],
    torque: values.torque === undefined ? null : TorqueState.parse(JSON.parse(values.torque)),
    isReturnOwed: values["return-owed"],
    appGroup: values["app-group"] === undefined ? null : { pid: Number(values["app-group"]) },
  },
  disconnect: () => process.disconnect(),
  exit: () => process.exit(0),
});

// A terminal sends its signals to every process of the daemon's group; the main process decides what they mean.
process.on("SIGINT", () => undefined);
process.on("SIGHUP", () => undefined);
process.on("SIGTERM", () => undefined);
