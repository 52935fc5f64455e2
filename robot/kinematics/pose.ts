import type { Pose, Quaternion, Vec3 } from "../description/frames.ts";
import { angleBetween, multiply, normalizeQuaternion, rotate, slerp } from "./quaternion.ts";
import { lerp, norm, subtract } from "./vector.ts";

// biome-ignore format: four rows of four
export const IDENTITY: Pose = [
  1, 0, 0, 0,
  0, 1, 0, 0,
  0, 0, 1, 0,
  0, 0, 0, 1,
];

/** Roll, pitch and yaw about the fixed x, y and z axes in this order: R = Rz(yaw) Ry(pitch) Rx(roll); radians. */
export interface Rpy {
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
}

/** The pose with this origin (metres) and orientation (unit quaternion). */
export function poseFrom(position: Vec3, [x, y, z, w]: Quaternion): Pose {
  // biome-ignore format: four rows of four
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), position[0],
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), position[1],
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), position[2],
    0, 0, 0, 1,
  ];
}

export const positionOf = (pose: Pose): Vec3 => [pose[3], pose[7], pose[11]];

/** The unit quaternion nearest to the pose's rotation part, by cases (Shepperd's method). */
export function rotationOf(m: Pose): Quaternion {
  const trace = m[0] + m[5] + m[10];
  if (trace > 0) return normalizeQuaternion([m[9] - m[6], m[2] - m[8], m[4] - m[1], 1 + trace]);
  if (m[0] > m[5] && m[0] > m[10])
    return normalizeQuaternion([1 + m[0] - m[5] - m[10], m[1] + m[4], m[2] + m[8], m[9] - m[6]]);
  if (m[5] > m[10]) return normalizeQuaternion([m[1] + m[4], 1 + m[5] - m[0] - m[10], m[6] + m[9], m[2] - m[8]]);
  return normalizeQuaternion([m[2] + m[8], m[6] + m[9], 1 + m[10] - m[0] - m[5], m[4] - m[1]]);
}

/** The matrix product a b: pose `b`, given in the frame of `a`, in the frame that `a` is given in. */
export function compose(a: Pose, b: Pose): Pose {
  const q = rotationOf(a);
  const [x, y, z] = rotate(q, positionOf(b));
  return poseFrom([x + a[3], y + a[7], z + a[11]], multiply(q, rotationOf(b)));
}

/** The pose at `position` (metres) with these angles (radians). */
export function poseFromRpy(position: Vec3, { roll, pitch, yaw }: Rpy): Pose {
  const [cr, sr, cp, sp] = [Math.cos(roll), Math.sin(roll), Math.cos(pitch), Math.sin(pitch)];
  const [cy, sy] = [Math.cos(yaw), Math.sin(yaw)];
  // biome-ignore format: four rows of four
  return [
    cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, position[0],
    sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, position[1],
    -sp, cp * sr, cp * cr, position[2],
    0, 0, 0, 1,
  ];
}

/** Roll and yaw in -pi to pi, pitch in -pi/2 to pi/2. */
export const rpyOf = (m: Pose): Rpy => ({
  roll: Math.atan2(m[9], m[10]),
  pitch: Math.atan2(-m[8], Math.hypot(m[9], m[10])),
  yaw: Math.atan2(m[4], m[0]),
});

/** The pose rotated by `yaw` radians about the world's z axis. */
export function rotatedByYaw(m: Pose, yaw: number): Pose {
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  // biome-ignore format: four rows of four
  return [
    c * m[0] - s * m[4], c * m[1] - s * m[5], c * m[2] - s * m[6], c * m[3] - s * m[7],
    s * m[0] + c * m[4], s * m[1] + c * m[5], s * m[2] + c * m[6], s * m[3] + c * m[7],
    m[8], m[9], m[10], m[11],
    0, 0, 0, 1,
  ];
}

/** Between two poses: a straight line for the origin, the shortest arc for the orientation; t outside 0..1 extrapolates. */
export const interpolatePose = (a: Pose, b: Pose, t: number): Pose =>
  poseFrom(lerp(positionOf(a), positionOf(b), t), slerp(rotationOf(a), rotationOf(b), t));

/** Distance between two poses: of the origins in metres, of the orientations in radians. */
export const poseDistance = (a: Pose, b: Pose): { metres: number; radians: number } => ({
  metres: norm(subtract(positionOf(a), positionOf(b))),
  radians: angleBetween(rotationOf(a), rotationOf(b)),
});
