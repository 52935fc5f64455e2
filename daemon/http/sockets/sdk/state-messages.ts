import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { ServerMessage } from "../../../../robot/wire/robot/sdk-messages.ts";

/** The messages that tell an app the robot's state: the type of each, and its text. */
export function stateMessages(state: RobotState): [type: string, json: string][] {
  const matrix = state.headPose;
  const rows = [0, 4, 8, 12].map((start) => matrix.slice(start, start + 4));
  const messages: ServerMessage[] = [
    {
      type: "joint_positions",
      head_joint_positions: state.headJoints,
      antennas_joint_positions: state.antennas,
    },
    { type: "head_pose", head_pose: rows },
  ];
  if (state.imu !== null) messages.push({ type: "imu_data", ...state.imu });
  return messages.map((message) => [message.type, JSON.stringify(message)]);
}

/** The message that tells an app about a touch; undefined for other events. */
export function touchMessage({ kind, data: { antenna } }: RobotEvent): ServerMessage | undefined {
  if (kind !== "antenna_touched" || (antenna !== "right" && antenna !== "left")) return undefined;
  return { type: "antenna_touched", antenna };
}
