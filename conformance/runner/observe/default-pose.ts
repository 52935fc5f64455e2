import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { legAngles } from "../../../robot/kinematics/inverse.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";

/** The nine joint angles of the default pose, radians, in the order of `JOINTS`. */
export const DEFAULT_JOINTS = [
  DEFAULT_POSE.bodyYaw,
  ...legAngles(DEFAULT_POSE.head, DEFAULT_POSE.bodyYaw),
  ...DEFAULT_POSE.antennas,
];

/** Radians from the default pose, of the joint farthest from it. */
export function defaultPoseError({ headJoints, antennas }: Pick<RobotState, "headJoints" | "antennas">): number {
  const errors = [...headJoints, ...antennas].map((angle, joint) => {
    return Math.abs(angle - (DEFAULT_JOINTS[joint] as number));
  });
  return Math.max(...errors);
}

/** The body of a request to `/api/move/goto` that moves the robot to its default pose. */
export function gotoDefaultPose(duration: number) {
  return { head_pose: {}, antennas: DEFAULT_POSE.antennas, body_yaw: DEFAULT_POSE.bodyYaw, duration };
}
