import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { ConnectedRobot } from "./connected-robot.ts";

/** What a connected robot reports of its joints. */
export function measuredState(
  robot: ConnectedRobot,
): Pick<RobotState, "motorMode" | "headJoints" | "antennas" | "headPose" | "sent"> {
  const { servos, motors } = robot;
  const { mode } = motors;
  return {
    motorMode: mode,
    ...splitJoints(servos.position),
    headPose: robot.measuredPosture().head,
    sent: mode === "enabled" ? splitJoints(motors.sent) : null,
  };
}

function splitJoints(joints: ArrayLike<number>): { headJoints: number[]; antennas: [number, number] } {
  const all = Array.from(joints);
  return { headJoints: all.slice(0, 7), antennas: [all[7] ?? 0, all[8] ?? 0] };
}
