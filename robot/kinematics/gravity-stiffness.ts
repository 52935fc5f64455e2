import { LEG_NUMBERS } from "../description/bodies.ts";
import type { Pose } from "../description/frames.ts";
import { forwardKinematics } from "./forward.ts";
import { gravityTorques } from "./gravity.ts";
import { groupJoints } from "./joint-groups.ts";

/** Radians of a leg to both sides in the difference quotient. */
const STEP = 1e-3;
const POWER_STEPS = 60;
/** N m/rad: more than the weight's stiffness at any place of the workspace. */
const SHIFT = 4;

/**
 * The least stiffness that the weight gives the platform, N m/rad at the legs. It is negative where the weight turns a head
 * that deviates farther away: there, only legs that are stiffer hold the head.
 *
 * @param joints radians, in the order of `JOINT_NAMES`
 * @param head the pose of these joints, relative to the neutral head
 * @returns negative infinity where a leg cannot turn
 */
export function leastGravityStiffness(joints: readonly number[], head: Pose): number {
  const columns = LEG_NUMBERS.map((leg) => {
    const torquesAt = (offset: number) => {
      const moved = joints.with(leg, (joints[leg] ?? 0) + offset);
      const { stewart, bodyYaw } = groupJoints(moved);
      const pose = forwardKinematics(stewart, bodyYaw, head);
      return pose && gravityTorques(moved, pose);
    };
    const [more, less] = [torquesAt(STEP), torquesAt(-STEP)];
    return more && less && LEG_NUMBERS.map((row) => ((more[row] ?? 0) - (less[row] ?? 0)) / (2 * STEP));
  });
  if (columns.includes(undefined)) return Number.NEGATIVE_INFINITY;
  const at = (row: number, column: number) => ((columns[column]?.[row] ?? 0) + (columns[row]?.[column] ?? 0)) / 2;
  // Power iteration: the largest eigenvalue of SHIFT - stiffness belongs to the least stiffness.
  let direction = [0.5, -0.4, 0.6, -0.3, 0.4, -0.5];
  let size = 0;
  for (let step = 0; step < POWER_STEPS; step += 1) {
    const next = direction.map((x, row) => direction.reduce((sum, y, column) => sum - at(row, column) * y, SHIFT * x));
    size = Math.hypot(...next);
    direction = next.map((x) => x / size);
  }
  return SHIFT - size;
}
