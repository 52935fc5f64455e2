import type { RigidBody, Vector } from "@dimforge/rapier3d-simd-compat";
import type { Vec3 } from "../../../robot/description/frames.ts";
import { conjugate, rotate } from "../../../robot/kinematics/quaternion.ts";
import { norm, scale, subtract } from "../../../robot/kinematics/vector.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Pull, Push } from "../../../robot/wire/scene/hand-act.ts";
import { fromRotation, fromVector, toVector, worldPoint, zeroVector } from "../engine-vectors.ts";
import { GRAVITY, type Loads } from "./loads.ts";

/** N. Stronger forces would break the robot and its simulation, so they are limited to this. */
const MAX_FORCE = 20;
const MAX_DURATION = 10;
/** rad/s. The point covers 90 % of the distance in 0.2 s, without overshoot. */
const NATURAL_FREQUENCY = 20;
/** 1/s, of the body's rotation about the held point. */
const ANGULAR_DAMPING = 8;

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
        else applySpringDamper(loads, body, point, force.target);
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

const velocity = zeroVector();
const force = zeroVector();
const spin = zeroVector();

/**
 * Pulls a point of a body to a target (both world frame, metres) with a critically damped spring whose stiffness is
 * proportional to the body's mass, and carries the body's weight. The force is limited to `MAX_FORCE`. Acts for one step.
 */
function applySpringDamper(loads: Loads, body: RigidBody, point: Vector, target: Vector): void {
  const mass = body.mass();
  body.velocityAtPoint(point, velocity);
  const along = (from: number, to: number, speed: number) =>
    mass * NATURAL_FREQUENCY * (NATURAL_FREQUENCY * (to - from) - 2 * speed);
  force.x = along(point.x, target.x, velocity.x);
  force.y = along(point.y, target.y, velocity.y);
  force.z = along(point.z, target.z, velocity.z) - mass * GRAVITY.z;
  const share = Math.min(1, MAX_FORCE / Math.hypot(force.x, force.y, force.z));
  force.x *= share;
  force.y *= share;
  force.z *= share;
  loads.addForce(body, force, point);
  const { x, y, z } = body.principalInertia(spin);
  const drag = -ANGULAR_DAMPING * Math.max(x, y, z);
  body.angvel(spin);
  spin.x *= drag;
  spin.y *= drag;
  spin.z *= drag;
  loads.addTorque(body, spin);
}
