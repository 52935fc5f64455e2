import type { Pose, SixLegs } from "../description/frames.ts";
import { HEAD_AT_ZERO, HEAD_HEIGHT } from "../description/geometry.ts";
import { LEG_SOLVERS } from "./legs.ts";
import { solveSix } from "./linear.ts";
import { poseFrom } from "./pose.ts";
import { IDENTITY_ROTATION } from "./quaternion.ts";

/** Metres that scale rotations to the size of translations: about the platform's radius. */
export const LEVER = 0.03;

/**
 * Fills `rows` (six rows of seven) with how each rod's length changes with the head's motion: a unit vector along the
 * rod, its moment about the head frame's origin over `LEVER`, and in the last column the length still missing, metres.
 * @param m head pose in the trunk frame, relative to the neutral head
 * @returns the largest missing length, metres
 */
export function rodRows(m: Pose, stewart: SixLegs, rows: Float64Array): number {
  let worst = 0;
  let at = 0;
  for (const { centre, arm, side, ball, rod } of LEG_SOLVERS) {
    const angle = stewart[at / 7] as number;
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    const bx = m[0] * ball[0] + m[1] * ball[1] + m[2] * ball[2];
    const by = m[4] * ball[0] + m[5] * ball[1] + m[6] * ball[2];
    const bz = m[8] * ball[0] + m[9] * ball[1] + m[10] * ball[2];
    const dx = m[3] + bx - (centre[0] + arm[0] * c + side[0] * s);
    const dy = m[7] + by - (centre[1] + arm[1] * c + side[1] * s);
    const dz = m[11] + HEAD_HEIGHT + bz - (centre[2] + arm[2] * c + side[2] * s);
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const missing = rod - length;
    rows[at++] = dx / length;
    rows[at++] = dy / length;
    rows[at++] = dz / length;
    rows[at++] = (by * dz - bz * dy) / (length * LEVER);
    rows[at++] = (bz * dx - bx * dz) / (length * LEVER);
    rows[at++] = (bx * dy - by * dx) / (length * LEVER);
    rows[at++] = missing;
    worst = Math.max(worst, Math.abs(missing));
  }
  return worst;
}

const scratch = new Float64Array(42);

function determinant(pose: Pose, stewart: SixLegs): number {
  rodRows(pose, stewart, scratch);
  return solveSix(scratch);
}

const assembled = poseFrom([0, 0, HEAD_AT_ZERO[2] - HEAD_HEIGHT], IDENTITY_ROTATION);
const determinantAtZero = determinant(assembled, [0, 0, 0, 0, 0, 0]);

/**
 * How firmly the rods hold the platform: the determinant of the leg Jacobian, 1 with every joint at zero. At 0 the
 * platform can move in some direction although the joints do not; below 0 it has flipped over.
 * @param pose head pose in the trunk frame (`rotatedByYaw(head, -bodyYaw)`), relative to the neutral head
 */
export const platformCondition = (pose: Pose, stewart: SixLegs): number =>
  determinant(pose, stewart) / determinantAtZero;
