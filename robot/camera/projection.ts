import type { Quaternion, Vec3 } from "../description/frames.ts";
import { CAMERA } from "../description/geometry.ts";
import { conjugate, multiply, rotate } from "../kinematics/quaternion.ts";
import { add, subtract } from "../kinematics/vector.ts";
import { type Lens, pixelOf, type Vec2 } from "./lens.ts";

/** Where a camera is, world frame, metres. Its own x axis points right in the picture, y down, z along the view. */
export interface CameraPlace {
  readonly position: Vec3;
  readonly rotation: Quaternion;
}

/** @param head the head frame in the world: origin in metres, orientation */
export const cameraInHead = (head: CameraPlace): CameraPlace => ({
  position: add(head.position, rotate(head.rotation, CAMERA.position)),
  rotation: multiply(head.rotation, CAMERA.rotation),
});

/** The pixel that shows a point of the world; null for a point that is not in front of the camera. */
export function projectPoint(lens: Lens, camera: CameraPlace, point: Vec3): Vec2 | null {
  const [x, y, z] = rotate(conjugate(camera.rotation), subtract(point, camera.position));
  return z > 0 ? pixelOf(lens, [x / z, y / z]) : null;
}
