import RAPIER from "@dimforge/rapier3d-simd-compat";
import { seededRandom } from "../../common/seeded-random.ts";
import { MOTORS, type MotorsByModel } from "../servos/motor/motor-parameters.ts";
import type { Posture } from "./model/posture.ts";
import { PhysicsWorld } from "./world.ts";

interface PhysicsOptions {
  /** The robot's initial posture; it starts without motion and without power. */
  readonly posture: Posture;
  /** Determines the friction of each joint. */
  readonly seed: number;
  /** Whether the robot stands free on the table, so that it can slide and tip over. Default false: its foot is fixed. */
  readonly freeBase?: boolean;
  /** Motors and gears of the servo models. Default: `MOTORS`. */
  readonly motors?: MotorsByModel;
}

/** Loads the physics engine and builds the robot. */
export async function createPhysics({
  posture,
  seed,
  freeBase = false,
  motors = MOTORS,
}: PhysicsOptions): Promise<PhysicsWorld> {
  await RAPIER.init();
  return new PhysicsWorld(posture, seededRandom(seed), freeBase, motors);
}
