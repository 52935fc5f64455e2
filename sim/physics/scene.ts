import { BODIES } from "../../robot/description/bodies.ts";
import type { SceneObject } from "./objects.ts";
import type { PhysicsWorld } from "./world.ts";

/** Where everything is, as a picture needs it. */
export interface Scene {
  /** Simulated seconds. */
  readonly time: number;
  /** The robot's parts and then the objects. */
  readonly names: readonly string[];
  /** Seven numbers each: position in metres and rotation as a quaternion x, y, z, w; world frame. */
  readonly poses: Float32Array;
  readonly objects: readonly SceneObject[];
}

const PARTS = BODIES.map(({ name }) => name);

export function sceneOf(world: PhysicsWorld, time: number): Scene {
  const objects = world.objects();
  const names = [...PARTS, ...objects.map(({ name }) => name)];
  const poses = new Float32Array(7 * names.length);
  names.forEach((name, index) => {
    const body = world.body(name);
    if (body === undefined) return;
    const { x, y, z } = body.translation();
    const q = body.rotation();
    poses.set([x, y, z, q.x, q.y, q.z, q.w], 7 * index);
  });
  return { time, names, poses, objects };
}
