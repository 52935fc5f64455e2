import type { RigidBody } from "@dimforge/rapier3d-simd-compat";
import type { Actuator } from "../servos/motor/actuator.ts";
import { zeroVector } from "./engine-vectors.ts";

/** rad/s of a joint, and m/s of an object, below which it counts as still. */
const STILL_JOINT = 2e-3;
const STILL_OBJECT = 1e-3;
/** rad/s of an object: the engine's contacts let objects rock a little for ever. */
const STILL_SPIN = 2e-2;
/** Checks in a row after which everything that is still counts as at rest: 0.25 s. */
const CHECKS_UNTIL_REST = 25;

const scratch = zeroVector();

/**
 * Detects that nothing moves. A world at rest is not simulated until something acts on it: a changed motor command, a
 * push, an object. It depends only on the world's state, so that equal runs rest at equal times.
 */
export class RestDetector {
  /** How many of the last checks in a row found nothing that moves; part of a snapshot. */
  stillChecks = 0;

  get isAtRest(): boolean {
    return this.stillChecks >= CHECKS_UNTIL_REST;
  }

  /** Call when something acts on the world. */
  wake(): void {
    this.stillChecks = 0;
  }

  /** Call every few milliseconds while nothing acts on the world from outside. */
  check(motors: readonly Actuator[], objects: readonly RigidBody[]): void {
    const isStill = motors.every((motor) => Math.abs(motor.velocity()) < STILL_JOINT) && objects.every(isObjectStill);
    this.stillChecks = isStill ? this.stillChecks + 1 : 0;
  }
}

function isObjectStill(body: RigidBody): boolean {
  const { x, y, z } = body.linvel(scratch);
  if (Math.hypot(x, y, z) >= STILL_OBJECT) return false;
  const spin = body.angvel(scratch);
  return Math.hypot(spin.x, spin.y, spin.z) < STILL_SPIN;
}
