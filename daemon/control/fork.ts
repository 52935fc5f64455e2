import { LastingRobot } from "./lasting-robot.ts";
import type { Robot } from "./robot.ts";
import { type ProcessOptions, RobotProcess } from "./robot-process.ts";

export interface ForkOptions extends ProcessOptions {
  /** Gives up waiting for the robot's first word. */
  signal?: AbortSignal;
}

/**
 * Starts the robot's process and waits until the robot is running. A robot of metal may also say why it is not
 * (`state.phase` is then `error`) and goes on trying; a simulated one always comes up. Should the process be lost later,
 * another takes its place.
 *
 * @throws WorkbenchError `robot-not-ready` when the process ends or takes too long
 */
export async function forkRobot({ signal, ...options }: ForkOptions): Promise<Robot> {
  const { link, clock } = options;
  const robot = new LastingRobot({
    begin: (place) => new RobotProcess(options, place),
    simulated: link === "sim",
    clock,
  });
  await robot.ready(signal ?? new AbortController().signal);
  return robot;
}
