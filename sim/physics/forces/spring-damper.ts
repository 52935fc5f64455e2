import type { RigidBody, Vector } from "@dimforge/rapier3d-simd-compat";
import { zeroVector } from "../engine-vectors.ts";
import { GRAVITY, type Loads } from "./loads.ts";

/** rad/s. The point covers 90 % of the distance in 0.2 s, without overshoot. */
const NATURAL_FREQUENCY = 20;
/** 1/s, of the body's rotation about the held point. */
const ANGULAR_DAMPING = 8;

const velocity = zeroVector();
const force = zeroVector();
const spin = zeroVector();

/**
 * Pulls a point of a body to a target (both world frame, metres) with a critically damped spring whose stiffness is
 * proportional to the body's mass, and carries the body's weight. The force is limited to `maxForce` N. Acts for one step.
 */
export function applySpringDamper(
  loads: Loads,
  body: RigidBody,
  point: Vector,
  target: Vector,
  maxForce: number,
): void {
  const mass = body.mass();
  body.velocityAtPoint(point, velocity);
  const along = (from: number, to: number, speed: number) =>
    mass * NATURAL_FREQUENCY * (NATURAL_FREQUENCY * (to - from) - 2 * speed);
  force.x = along(point.x, target.x, velocity.x);
  force.y = along(point.y, target.y, velocity.y);
  force.z = along(point.z, target.z, velocity.z) - mass * GRAVITY.z;
  const share = Math.min(1, maxForce / Math.hypot(force.x, force.y, force.z));
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
