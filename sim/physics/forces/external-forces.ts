import type { RigidBody, Vector } from "@dimforge/rapier3d-simd-compat";
import type { Vec3 } from "../../../robot/description/frames.ts";
import { conjugate, rotate } from "../../../robot/kinematics/quaternion.ts";
import { norm, scale, subtract } from "../../../robot/kinematics/vector.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Pull, Push } from "../../../robot/wire/scene/hand-act.ts";
import { fromRotation, fromVector, toVector, zeroVector } from "../engine-vectors.ts";
import { worldPoint } from "../platform/loop-closure.ts";
import type { Loads } from "./loads.ts";
import { applySpringDamper } from "./spring-damper.ts";

/** N. Stronger forces would break the robot and its simulation, so they are limited to this. */
const MAX_FORCE = 20;
const MAX_DURATION = 10;

interface ActiveForce {
  body: string;
  local: Vector;
  /** Force in N for a push, target position for a pull; world frame. */
  target: Vector;
  kind: "push" | "pull";
  steps: number;
}

/**
 * Pushes and pulls from outside. Each has a name (`hand`) and acts on one point of a body, which it keeps while the body
 * moves. It ends when its time is over; a client that drags renews it.
 */
export class ExternalForces {
  readonly #active = new Map<string, ActiveForce>();
  readonly #point = zeroVector();

  /**
   * Starts a push or pull, or replaces the one with the same name.
   * @throws WorkbenchError `bad-request` when a number is not finite or the time is out of range
   */
  set(hand: string, body: RigidBody, request: Push | Pull, seconds: number, timestep: number): void {
    const point = request.point ?? fromVector(body.worldCom());
    const aim = "force" in request ? request.force : request.towards;
    if (![...aim, ...point].every(Number.isFinite) || !(seconds > 0 && seconds <= MAX_DURATION)) {
      throw new WorkbenchError(
        "bad-request",
        `A push needs finite force and point and lasts above 0 and at most ${MAX_DURATION} s, not ${seconds} s.`,
      );
    }
    const kind = "force" in request ? "push" : "pull";
    const current = this.#active.get(hand);
    const keepsGrip = kind === "pull" && current?.kind === "pull" && current.body === request.body;
    const strength = norm(aim);
    this.#active.set(hand, {
      body: request.body,
      local: keepsGrip ? current.local : toLocal(body, point),
      target: toVector(kind === "push" && strength > MAX_FORCE ? scale(aim, MAX_FORCE / strength) : aim),
      kind,
      steps: Math.ceil(seconds / timestep),
    });
  }

  get isActive(): boolean {
    return this.#active.size > 0;
  }

  remove(hand: string): void {
    this.#active.delete(hand);
  }

  clear(): void {
    this.#active.clear();
  }

  /** Call before each step. `find` returns undefined for a body that was removed. */
  apply(loads: Loads, find: (body: string) => RigidBody | undefined): void {
    for (const [hand, force] of this.#active) {
      const body = find(force.body);
      if (body !== undefined) {
        const point = worldPoint(body, force.local, this.#point);
        if (force.kind === "push") loads.addForce(body, force.target, point);
        else applySpringDamper(loads, body, point, force.target, MAX_FORCE);
      }
      force.steps -= 1;
      if (force.steps <= 0 || body === undefined) this.#active.delete(hand);
    }
  }

  save(): [string, ActiveForce][] {
    return [...this.#active].map(([hand, force]) => [hand, { ...force }]);
  }

  restore(saved: ReturnType<ExternalForces["save"]>): void {
    this.#active.clear();
    for (const [hand, force] of saved) this.#active.set(hand, { ...force });
  }
}

/** A point of the world frame in the body's frame. */
function toLocal(body: RigidBody, point: Vec3): Vector {
  const offset = subtract(point, fromVector(body.translation()));
  return toVector(rotate(conjugate(fromRotation(body.rotation())), offset));
}
