import type { RigidBody, Vector } from "@dimforge/rapier3d-simd-compat";

/** m/s2. */
export const GRAVITY: Readonly<Vector> = { x: 0, y: 0, z: -9.81 };

/** Forces and torques on bodies that act for one step. The caller adds them again for each step. */
export class Loads {
  readonly #loaded: Set<RigidBody>;

  /** @param loaded bodies that may still have loads, for example in a restored world */
  constructor(loaded: Iterable<RigidBody> = []) {
    this.#loaded = new Set(loaded);
  }

  /** Removes all loads. */
  clear(): void {
    if (this.#loaded.size === 0) return;
    for (const body of this.#loaded) {
      body.resetForces(false);
      body.resetTorques(false);
    }
    this.#loaded.clear();
  }

  /** A force in N at a point, both in the world frame. */
  addForce(body: RigidBody, force: Vector, point: Vector): void {
    this.#loaded.add(body);
    body.addForceAtPoint(force, point, true);
  }

  /** A torque in N m, world frame. */
  addTorque(body: RigidBody, torque: Vector): void {
    this.#loaded.add(body);
    body.addTorque(torque, true);
  }

  /** Call before a body is removed from the world. */
  removeBody(body: RigidBody): void {
    this.#loaded.delete(body);
  }
}
