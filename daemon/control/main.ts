import { constants, setPriority } from "node:os";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import type { MotorMode } from "../../robot/wire/robot.ts";
import { createWorkerLink } from "../../sim/link/worker-link.ts";
import { type Clock, sleep, systemClock } from "../clock.ts";
import { openLink } from "../hardware/link/open.ts";
import { endGroup } from "./guard.ts";
import type { Channel, Report, Request } from "./messages.ts";
import { relinked } from "./relinked.ts";
import { createRobot, type RobotCore } from "./robot-core.ts";
import { serveRobot } from "./serve.ts";

/*
 * The robot's process: bus master and control loop, undisturbed by the daemon's HTTP load. Forked by the daemon and
 * driven over its IPC channel. When the daemon is gone, even by SIGKILL, it ends the app that the daemon left behind,
 * brings the robot to its default pose and ends.
 */

/** Milliseconds in which everything is over after the daemon has gone. */
const LAST_WORDS_MS = 1800;

try {
  // Before any thread is made: they inherit it. A late goal is a visible jerk, a late page is not.
  setPriority(constants.priority.PRIORITY_HIGH);
} catch {
  // Only a privileged daemon may; the loop then shares the machine with everybody else.
}

const { values } = parseArgs({
  options: {
    /** `sim`, `serial`, `serial:PATH` or `tcp://HOST:PORT`. */
    link: { type: "string", default: "serial" },
    "at-close": { type: "string", default: "sleep" },
    seed: { type: "string", default: "1" },
    /** For a process that takes the place of one that was lost: the motor mode before, and whether the robot was awake. */
    "mode-before": { type: "string", default: "disabled" },
    "awake-before": { type: "boolean", default: false },
  },
});

function simulated() {
  // The physics engine runs about as fast without the optimizing compiler, which would take 150 MB and, on a busy
  // machine, seconds of the start.
  setFlagsFromString("--liftoff-only");
  const workerUrl = new URL("../../sim/link/worker.js", import.meta.url);
  return relinked(() => createWorkerLink({ workerUrl, seed: Number(values.seed) }));
}

function daemonChannel(): Channel<Request, Report> {
  return {
    send: (report) => {
      // Without the callback, a state on its way while the daemon is killed would end this process by EPIPE.
      if (process.connected) process.send?.(report, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => {
      process.on("message", listener);
      return () => process.off("message", listener);
    },
    onClose: (listener) => {
      const gone = (): void => listener("The daemon has gone.");
      process.once("disconnect", gone);
      return () => process.off("disconnect", gone);
    },
  };
}

async function endWithoutDaemon(robot: RobotCore, clock: Clock): Promise<void> {
  const { guarded } = robot;
  const app = guarded === null ? undefined : endGroup(guarded.pid, (pid, signal) => process.kill(pid, signal), clock);
  const rest = robot.returnToDefault().catch(() => undefined);
  await Promise.race([Promise.all([app, rest]), sleep(clock, LAST_WORDS_MS)]);
  process.exit(0);
}

const clock = systemClock;
const channel = daemonChannel();
const robot = createRobot({
  ...(values.link === "sim" ? simulated() : { open: () => openLink(values.link) }),
  clock,
  atClose: values["at-close"] === "stay" ? "stay" : "sleep",
  before: { awake: values["awake-before"], motorMode: values["mode-before"] as MotorMode },
});
serveRobot(robot, channel, () => process.disconnect());

// A terminal sends its signals to every process of the daemon's group; what they mean is for the daemon to decide.
process.on("SIGINT", () => undefined);
process.on("SIGHUP", () => undefined);
process.on("SIGTERM", () => undefined);
channel.onClose(() => {
  if (robot.state.phase === "stopped") process.exit(0);
  void endWithoutDaemon(robot, clock);
});
