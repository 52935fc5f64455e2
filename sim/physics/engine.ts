import RAPIER from "@dimforge/rapier3d-compat";
import type { Posture } from "./posture.ts";
import { seededRandom } from "./random.ts";
import { PhysicsWorld } from "./world.ts";

export interface PhysicsOptions {
  /** Where the robot starts, at rest and without power. */
  readonly posture: Posture;
  /** Decides what differs from one robot to the next: the friction of its joints. */
  readonly seed: number;
}

/** Loads the engine and builds the robot in it. */
export async function createPhysics({ posture, seed }: PhysicsOptions): Promise<PhysicsWorld> {
  await RAPIER.init();
  return new PhysicsWorld(posture, seededRandom(seed));
}
