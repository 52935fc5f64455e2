import type { Quaternion, Vec3 } from "../description/frames.ts";

/** No rotation. */
export const IDENTITY_ROTATION: Quaternion = [0, 0, 0, 1];

/** The rotation by `angle` radians about a unit axis, right-handed. */
export function fromAxisAngle(axis: Vec3, angle: number): Quaternion {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** The rotation `b` followed by the rotation `a`. */
export const multiply = (a: Quaternion, b: Quaternion): Quaternion => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];

/** The inverse of a unit quaternion. */
export const conjugate = (q: Quaternion): Quaternion => [-q[0], -q[1], -q[2], q[3]];

export function normalizeQuaternion(q: Quaternion): Quaternion {
  const k = 1 / Math.hypot(q[0], q[1], q[2], q[3]);
  return [q[0] * k, q[1] * k, q[2] * k, q[3] * k];
}

/** `v` rotated by `q`. */
export function rotate(q: Quaternion, v: Vec3): Vec3 {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** Radians from one orientation to the other, 0 to pi. */
export function angleBetween(a: Quaternion, b: Quaternion): number {
  const [x, y, z, w] = multiply(conjugate(a), b);
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}

/** Along the shortest arc at constant speed, from `a` at t = 0 to `b` at t = 1; t outside extrapolates. */
export function slerp(a: Quaternion, b: Quaternion, t: number): Quaternion {
  const [x, y, z, w] = multiply(conjugate(a), b);
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-12) return a;
  const sign = w < 0 ? -1 : 1;
  const axis = [(sign * x) / sine, (sign * y) / sine, (sign * z) / sine] as const;
  return normalizeQuaternion(multiply(a, fromAxisAngle(axis, 2 * Math.atan2(sine, Math.abs(w)) * t)));
}
