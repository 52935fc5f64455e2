import { Matrix4, Quaternion } from "three";
import type { Frame } from "./timeline.ts";

/** What a state of the robot tells of its pose: radians, and a 4x4 row-major matrix relative to the neutral head. */
export interface PoseState {
  headPose: readonly number[];
  /** body_yaw, stewart_1 .. stewart_6. */
  headJoints: readonly number[];
  /** Right, left. */
  antennas: readonly number[];
}

/** Turns a robot state into what the view draws. */
export function frameOf(state: PoseState): Frame {
  const matrix = new Matrix4().fromArray([...state.headPose]).transpose();
  const rotation = new Quaternion().setFromRotationMatrix(matrix);
  const { elements } = matrix;
  return {
    bodyYaw: state.headJoints[0] ?? 0,
    stewart: state.headJoints.slice(1, 7),
    antennas: state.antennas,
    headPosition: elements.slice(12, 15),
    headRotation: rotation.toArray(),
  };
}
