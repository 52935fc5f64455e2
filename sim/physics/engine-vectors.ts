import type { RigidBody, Rotation, Vector } from "@dimforge/rapier3d-simd-compat";
import type { Quaternion, Vec3 } from "../../robot/description/frames.ts";

/*
 * Vectors and rotations in the engine's own types, for code that runs at every step. Results are written into `out`,
 * which may be one of the arguments, so that no garbage is created. All other code uses robot/kinematics.
 */

export const toVector = ([x, y, z]: Vec3): Vector => ({ x, y, z });
export const toRotation = ([x, y, z, w]: Quaternion): Rotation => ({ x, y, z, w });
export const fromVector = ({ x, y, z }: Vector): Vec3 => [x, y, z];
export const fromRotation = ({ x, y, z, w }: Rotation): Quaternion => [x, y, z, w];
export const zeroVector = (): Vector => ({ x: 0, y: 0, z: 0 });
export const noRotation = (): Rotation => ({ x: 0, y: 0, z: 0, w: 1 });

export const dot = (a: Vector, b: Vector): number => a.x * b.x + a.y * b.y + a.z * b.z;

/** v rotated by the unit quaternion q: v + 2 w (q x v) + 2 q x (q x v). */
export function rotated(q: Rotation, v: Vector, out: Vector): Vector {
  const tx = 2 * (q.y * v.z - q.z * v.y);
  const ty = 2 * (q.z * v.x - q.x * v.z);
  const tz = 2 * (q.x * v.y - q.y * v.x);
  const x = v.x + q.w * tx + q.y * tz - q.z * ty;
  const y = v.y + q.w * ty + q.z * tx - q.x * tz;
  out.z = v.z + q.w * tz + q.x * ty - q.y * tx;
  out.x = x;
  out.y = y;
  return out;
}

const rotation = noRotation();
const position = zeroVector();

/** Position of a body's point in the world frame; writes into `out`. */
export function worldPoint(body: RigidBody, local: Vector, out: Vector): Vector {
  rotated(body.rotation(rotation), local, out);
  body.translation(position);
  out.x += position.x;
  out.y += position.y;
  out.z += position.z;
  return out;
}

/** Rotation of `child` relative to `parent` about the unit `axis`, -pi to pi; the axis is the same in both at zero. */
export function hingeAngle(parent: Rotation, child: Rotation, axis: Vector): number {
  const x = parent.w * child.x - parent.x * child.w - parent.y * child.z + parent.z * child.y;
  const y = parent.w * child.y + parent.x * child.z - parent.y * child.w - parent.z * child.x;
  const z = parent.w * child.z - parent.x * child.y + parent.y * child.x - parent.z * child.w;
  const w = parent.w * child.w + parent.x * child.x + parent.y * child.y + parent.z * child.z;
  return wrapAngle(2 * Math.atan2(x * axis.x + y * axis.y + z * axis.z, w));
}

/** The same direction as `angle`, in -pi to pi. */
export function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
