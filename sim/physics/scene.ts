import { BODIES } from "../../robot/description/bodies.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { PhysicsWorld } from "./world.ts";

const PARTS = BODIES.map(({ name }) => name);

/** Poses of all parts and objects. `time` is in simulated seconds. */
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
