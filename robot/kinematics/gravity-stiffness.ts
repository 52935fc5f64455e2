import type { Pose, SixLegs } from "../description/frames.ts";
import { forwardKinematics } from "./forward.ts";
import { gravityTorques } from "./gravity.ts";

/** Radians of a leg to both sides in the difference quotient. */
const STEP = 1e-3;
const POWER_STEPS = 60;
/** N m/rad: more than the weight's stiffness at any place of the workspace. */
const SHIFT = 4;

/**
 * The least stiffness that the weight gives the platform, N m/rad at the legs. It is negative where the weight turns a head
 * that deviates farther away: there, only legs that are stiffer hold the head.
 *
 * @param stewart radians, legs 1 to 6
 * @param antennas right, left; radians
 * @param head the pose of these joints, relative to the neutral head
 * @param bodyYaw radians
 * @returns negative infinity where a leg cannot turn
 */
export function leastGravityStiffness(
  stewart: SixLegs,
  antennas: readonly [number, number],
  head: Pose,
  bodyYaw: number,
): number {
  const columns = stewart.map((_, leg) => {
    const torquesAt = (offset: number) => {
      const moved = stewart.map((angle, index) => angle + (index === leg ? offset : 0)) as unknown as SixLegs;
      const pose = forwardKinematics(moved, bodyYaw, head);
      return pose && gravityTorques(moved, antennas, pose, bodyYaw);
    };
    const [more, less] = [torquesAt(STEP), torquesAt(-STEP)];
    return more && less && stewart.map((_unused, row) => ((more[row + 1] ?? 0) - (less[row + 1] ?? 0)) / (2 * STEP));
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
