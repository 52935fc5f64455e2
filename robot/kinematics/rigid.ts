import type { Pose, Vec3 } from "../description/frames.ts";
import { poseFrom, positionOf, rotationOf } from "./pose.ts";
import { cross, dot, norm, scale } from "./vector.ts";

/** How far the rows of a rotation may be from unit length, and from right angles, and still mean a rotation. */
const TOLERANCE = 0.25;
/** How far the last row may be from 0, 0, 0, 1. A transposed pose has its translation there, in metres. */
const LAST_ROW_TOLERANCE = 1e-3;

/**
 * Whether the last row is 0, 0, 0, 1 but for rounding, as a row-major pose has it.
 * @param m 4x4, row-major
 */
export function hasRigidLastRow(m: readonly number[]): boolean {
  const [x = 0, y = 0, z = 0, one = 0] = m.slice(12);
  return Math.hypot(x, y, z, one - 1) <= LAST_ROW_TOLERANCE;
}

/** The rows of the rotation part, and how far they are from right angles and unit length. `volume` is negative when mirrored. */
export function rotationRows(m: Pose): { rows: readonly Vec3[]; skew: number; stretch: number; volume: number } {
  const [x, y, z]: [Vec3, Vec3, Vec3] = [
    [m[0], m[1], m[2]],
    [m[4], m[5], m[6]],
    [m[8], m[9], m[10]],
  ];
  const rows = [x, y, z];
  const skew = Math.max(Math.abs(dot(x, y)), Math.abs(dot(y, z)), Math.abs(dot(z, x)));
  const stretch = Math.max(...rows.map((row) => Math.abs(norm(row) - 1)));
  return { rows, skew, stretch, volume: dot(cross(x, y), z) };
}

/**
 * The rigid transform that a matrix means which is nearly one: numbers that were rounded, averaged or multiplied often.
 * Undefined for a matrix that is mirrored, too far from a rotation to mean one, or without `hasRigidLastRow`.
 * @param m 4x4, row-major, translation in metres
 */
export function nearestRigid(m: readonly number[]): Pose | undefined {
  if (m.length !== 16 || !m.every(Number.isFinite) || !hasRigidLastRow(m)) return undefined;
  const pose = m as unknown as Pose;
  const { rows, skew, stretch, volume } = rotationRows(pose);
  if (stretch > TOLERANCE || skew > TOLERANCE || volume <= 0) return undefined;
  const size = 1 / Math.cbrt(volume);
  const [a, b, c] = rows.map((row) => scale(row, size)) as [Vec3, Vec3, Vec3];
  return poseFrom(positionOf(pose), rotationOf([...a, 0, ...b, 0, ...c, 0, 0, 0, 0, 1]));
}
