import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { ConnectedRobot } from "./connected-robot.ts";

/**
 * The robot, if it can be moved.
 *
 * @throws WorkbenchError `robot-not-ready`, `robot-fault` or `motors-off`
 */
export function requireMovable(
  robot: ConnectedRobot | undefined,
  { error, phase }: Pick<RobotState, "error" | "phase">,
): ConnectedRobot {
  if (robot === undefined) throw new WorkbenchError("robot-not-ready", error ?? `The robot is ${phase}.`);
  if (error !== null) throw new WorkbenchError("robot-fault", error);
  const { mode } = robot.motors;
  if (mode === "enabled") return robot;
  const off = mode === "disabled" ? "The motors are off" : "The motors only hold the robot's weight";
  const next = "Wake the robot up or set the motor mode to enabled.";
  throw new WorkbenchError("motors-off", `${off} (mode ${mode}). ${next}`);
}
