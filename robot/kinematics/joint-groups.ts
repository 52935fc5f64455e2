import type { Pose, SixLegs } from "../description/frames.ts";
import type { RobotPose } from "../description/poses.ts";
import { forwardKinematics } from "./forward.ts";

/** Nine joint angles, grouped by the parts of the robot. */
interface JointGroups {
  bodyYaw: number;
  stewart: SixLegs;
  /** Right, left. */
  antennas: [number, number];
}

export function groupJoints(joints: ArrayLike<number>): JointGroups {
  const at = (index: number): number => joints[index] ?? 0;
  return { bodyYaw: at(0), stewart: [at(1), at(2), at(3), at(4), at(5), at(6)], antennas: [at(7), at(8)] };
}

/**
 * The posture that nine joint angles (radians) hold. Equal angles give the same posture to the last bit, whatever the guess:
 * it is used only where no pose is found without it.
 *
 * @param guess a head pose nearby; it also stands in where the rods cannot meet
 */
export function postureOf(joints: ArrayLike<number>, guess: Pose): RobotPose {
  const { bodyYaw, stewart, antennas } = groupJoints(joints);
  const head = forwardKinematics(stewart, bodyYaw) ?? forwardKinematics(stewart, bodyYaw, guess) ?? guess;
  return { head, antennas, bodyYaw };
}
