import { type Machine, thisMachine } from "../../common/machine/machine.ts";
import { endProcesses } from "../../common/machine/process-tree.ts";
import { sleep } from "../../common/time/clock.ts";
import { RobotController } from "./control/robot-controller.ts";
import type { RobotOptions } from "./control/robot-options.ts";
import { type ParentPort, serveRobot } from "./serve-robot.ts";

/** Milliseconds after the end of the main process in which the robot has returned, or returns no more. */
const ORPHANED_MS = 1800;
/** How it ends the app: with a second for its own clean-up. */
const END_APP = [
  { signal: "SIGINT", waitMs: 1000 },
  { signal: "SIGKILL", waitMs: 500 },
] as const;

interface RobotProcessParts extends RobotOptions {
  /** The channel to the main process. */
  port: ParentPort;
  /** Default: this one. */
  machine?: Machine;
  /** Closes the channel, so that the process ends when nothing is left to do. */
  disconnect(): void;
  /** Ends the process. */
  exit(): void;
}

/**
 * The robot process: bus master and control loop, undisturbed by the HTTP load of the daemon's main process, which forks
 * this one and calls it over the channel. When the main process is gone, even by SIGKILL, this process ends the app that
 * it left behind, moves the robot to its default pose, and ends.
 */
export function runRobotProcess({
  port,
  machine = thisMachine,
  disconnect,
  exit,
  ...options
}: RobotProcessParts): void {
  const { previous, clock } = options;
  const robot = new RobotController(options);
  if (previous?.appGroup) void robot.beginAppSession(previous.appGroup);
  serveRobot(robot, port, disconnect);

  const endWithoutMainProcess = async (): Promise<void> => {
    const { group } = robot.appSession;
    const returned = Promise.race([robot.endAppSession().catch(() => undefined), sleep(clock, ORPHANED_MS)]);
    // Waited for also when it is late, as on a busy machine: nothing else would end the app.
    if (group) await endProcesses({ group: group.pid }, clock, END_APP, machine);
    await returned;
    exit();
  };
  port.onDisconnect(() => {
    if (robot.state.phase === "stopped") return exit();
    void endWithoutMainProcess();
  });
}
