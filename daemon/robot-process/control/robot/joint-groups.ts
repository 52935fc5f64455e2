import type { Pose, SixLegs } from "../../../../robot/description/frames.ts";
import { JOINT_NAMES } from "../../../../robot/description/joints.ts";
import type { RobotPose } from "../../../../robot/description/poses.ts";
import { forwardKinematics } from "../../../../robot/kinematics/forward.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { ALL_JOINTS } from "../../hardware/servos.ts";

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
 * The posture that nine joint angles (radians) hold.
 *
 * @param guess a head pose nearby; it also stands in where the rods cannot meet
 */
export function postureOf(joints: ArrayLike<number>, guess: Pose): RobotPose {
  const { bodyYaw, stewart, antennas } = groupJoints(joints);
  return { head: forwardKinematics(stewart, bodyYaw, guess) ?? guess, antennas, bodyYaw };
}

/**
 * Indices into `JOINTS`; of all joints for null.
 *
 * @throws WorkbenchError `bad-request` for a name that no joint has
 */
export function jointIndices(names: readonly string[] | null): readonly number[] {
  if (names === null) return ALL_JOINTS;
  return names.map((name) => {
    const index = (JOINT_NAMES as readonly string[]).indexOf(name);
    if (index >= 0) return index;
    throw new WorkbenchError("bad-request", `There is no joint "${name}". The joints are ${JOINT_NAMES.join(", ")}.`);
  });
}
