import type { Pose, SixLegs } from "../../../robot/description/frames.ts";
import { forwardKinematics } from "../../../robot/kinematics/forward.ts";
import { positionOf, rotationOf } from "../../../robot/kinematics/pose.ts";
import type { Frame } from "./frame.ts";

/** The pose in a robot state: radians, and a 4x4 row-major matrix relative to the neutral head, metres. */
export interface RobotPose {
  /** 16 numbers. */
  headPose: readonly number[];
  /** body_yaw, stewart_1 .. stewart_6. */
  headJoints: readonly number[];
  /** Right, left. */
  antennas: readonly number[];
}

/** Metres, and a quaternion [x, y, z, w]. */
interface FootPlacement {
  position: readonly number[];
  rotation: readonly number[];
}

const AT_ITS_PLACE: FootPlacement = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** Turns a robot state into a frame. @param foot where the robot stands; by default at its place on the table */
export function frameOfState(state: RobotPose, foot = AT_ITS_PLACE): Frame {
  const pose = state.headPose as Pose;
  return {
    bodyYaw: state.headJoints[0] ?? 0,
    stewart: state.headJoints.slice(1, 7),
    antennas: state.antennas,
    headPosition: positionOf(pose),
    headRotation: rotationOf(pose),
    footPosition: foot.position,
    footRotation: foot.rotation,
  };
}

/**
 * Turns joint angles without a head pose, for example targets, into a frame: the head is where the joints hold it.
 * @param near a head pose to start the search from, 16 numbers
 * @returns undefined when no head pose fits the joints
 */
export function frameOfJoints(joints: Omit<RobotPose, "headPose">, near: readonly number[]): Frame | undefined {
  const [bodyYaw = 0, ...stewart] = joints.headJoints;
  const headPose = forwardKinematics(stewart as unknown as SixLegs, bodyYaw, near as Pose);
  return headPose && frameOfState({ ...joints, headPose });
}
