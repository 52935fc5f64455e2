import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { ServerMessage } from "../../../../robot/wire/robot/sdk-messages.ts";

/** Returns the messages of the protocol for one state, as JSON by their type. */
export function stateMessages(state: RobotState): [type: string, json: string][] {
  const m = state.headPose;
  const rows = [m.slice(0, 4), m.slice(4, 8), m.slice(8, 12), m.slice(12, 16)];
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
