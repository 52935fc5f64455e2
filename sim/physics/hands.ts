import type { RigidBody, Vector } from "@dimforge/rapier3d-compat";
import type { Vec3 } from "../../robot/description/frames.ts";
import { conjugate, rotate } from "../../robot/kinematics/quaternion.ts";
import { norm, scale, subtract } from "../../robot/kinematics/vector.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { worldPoint } from "./gaps.ts";
import { fromRotation, fromVector, toVector, zeroVector } from "./linear.ts";
import type { Loads } from "./loads.ts";

/** A force in N on a body at a point (its centre of mass when absent), both in the world frame, metres. */
export interface Push {
  readonly body: string;
  readonly point?: Vec3 | undefined;
  readonly force: Vec3;
}

/** More breaks the robot, and breaks the simulation of it; the force is cut to this. */
export const STRONGEST_PUSH = 20;
const LONGEST_PUSH = 10;

interface Grip {
  body: string;
  local: Vector;
  force: Vector;
  steps: number;
}

/**
 * Hands that push or pull, each at a point of a body that it stays on while the body moves. A hand lets go by itself
 * when its time is over; whoever drags renews it.
 */
export class Hands {
  readonly #grips = new Map<string, Grip>();
  readonly #point = zeroVector();

  /** @throws WorkbenchError `bad-request` when a number is not finite or the time is out of range */
  push(hand: string, body: RigidBody, push: Push, seconds: number, timestep: number): void {
    const point = push.point ?? fromVector(body.worldCom());
    if (![...push.force, ...point].every(Number.isFinite) || !(seconds > 0 && seconds <= LONGEST_PUSH)) {
      throw new WorkbenchError(
        "bad-request",
        `A push needs finite force and point and lasts above 0 and at most ${LONGEST_PUSH} s, not ${seconds} s.`,
      );
    }
    const strength = norm(push.force);
    const force = strength > STRONGEST_PUSH ? scale(push.force, STRONGEST_PUSH / strength) : push.force;
    const offset = subtract(point, fromVector(body.translation()));
    const local = toVector(rotate(conjugate(fromRotation(body.rotation())), offset));
    this.#grips.set(hand, { body: push.body, local, force: toVector(force), steps: Math.ceil(seconds / timestep) });
  }

  release(hand: string): void {
    this.#grips.delete(hand);
  }

  releaseAll(): void {
    this.#grips.clear();
  }

  /** Before each step; `find` gives undefined for a body that is gone. */
  apply(loads: Loads, find: (body: string) => RigidBody | undefined): void {
    for (const [hand, grip] of this.#grips) {
      const body = find(grip.body);
      if (body !== undefined) loads.push(body, grip.force, worldPoint(body, grip.local, this.#point));
      grip.steps -= 1;
      if (grip.steps <= 0 || body === undefined) this.#grips.delete(hand);
    }
  }

  save(): [string, Grip][] {
    return [...this.#grips].map(([hand, grip]) => [hand, { ...grip }]);
  }

  restore(saved: ReturnType<Hands["save"]>): void {
    this.#grips.clear();
    for (const [hand, grip] of saved) this.#grips.set(hand, { ...grip });
  }
}
