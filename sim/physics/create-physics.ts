import RAPIER from "@dimforge/rapier3d-compat";
import { seededRandom } from "../../common/seeded-random.ts";
import type { Posture } from "./model/posture.ts";
import { PhysicsWorld } from "./world.ts";

export interface PhysicsOptions {
  /** The robot's initial posture; it starts without motion and without power. */
  readonly posture: Posture;
  /** Determines the friction of each joint. */
  readonly seed: number;
}

/** Loads the physics engine and builds the robot. */
export async function createPhysics({ posture, seed }: PhysicsOptions): Promise<PhysicsWorld> {
  await RAPIER.init();
  return new PhysicsWorld(posture, seededRandom(seed));
}
