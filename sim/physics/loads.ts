import type { RigidBody, Vector } from "@dimforge/rapier3d-compat";

/** m/s2. */
export const GRAVITY: Readonly<Vector> = { x: 0, y: 0, z: -9.81 };

/** Forces and torques from outside the joints. They act for one step and are told anew for the next. */
export class Loads {
  readonly #loaded: Set<RigidBody>;

  /** `loaded` are bodies that may bear loads from before, as in a restored world. */
  constructor(loaded: Iterable<RigidBody> = []) {
    this.#loaded = new Set(loaded);
  }

  /** Takes all loads off. */
  clear(): void {
    if (this.#loaded.size === 0) return;
    for (const body of this.#loaded) {
      body.resetForces(false);
      body.resetTorques(false);
    }
    this.#loaded.clear();
  }

  /** A force in N at a point, both in the world frame. */
  push(body: RigidBody, force: Vector, point: Vector): void {
    this.#loaded.add(body);
    body.addForceAtPoint(force, point, true);
  }

  /** A torque in N m, world frame. */
  turn(body: RigidBody, torque: Vector): void {
    this.#loaded.add(body);
    body.addTorque(torque, true);
  }

  /** A body leaves the world. */
  forget(body: RigidBody): void {
    this.#loaded.delete(body);
  }
}
