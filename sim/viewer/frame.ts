import type { Pose, SixLegs } from "../../robot/description/frames.ts";
import { forwardKinematics } from "../../robot/kinematics/forward.ts";
import { positionOf, rotationOf } from "../../robot/kinematics/pose.ts";
import type { Frame } from "./timeline.ts";

/** What a state of the robot tells of its pose: radians, and a 4x4 row-major matrix relative to the neutral head. */
export interface PoseState {
  /** 16 numbers. */
  headPose: readonly number[];
  /** body_yaw, stewart_1 .. stewart_6. */
  headJoints: readonly number[];
  /** Right, left. */
  antennas: readonly number[];
}

/** Turns a robot state into what the view draws. */
export function frameOf(state: PoseState): Frame {
  const pose = state.headPose as Pose;
  return {
    bodyYaw: state.headJoints[0] ?? 0,
    stewart: state.headJoints.slice(1, 7),
    antennas: state.antennas,
    headPosition: positionOf(pose),
    headRotation: rotationOf(pose),
  };
}

/** The same for joints alone (targets): the head is where they would hold it. Undefined when no head fits them. */
export function frameOfJoints(joints: Omit<PoseState, "headPose">, near: readonly number[]): Frame | undefined {
  const [bodyYaw = 0, ...stewart] = joints.headJoints;
  const headPose = forwardKinematics(stewart as unknown as SixLegs, bodyYaw, near as Pose);
  return headPose && frameOf({ ...joints, headPose });
}
