import type { RigidBody, Vector } from "@dimforge/rapier3d-compat";
import { zeroVector } from "./linear.ts";
import { GRAVITY, type Loads } from "./loads.ts";

/** How quickly a held point follows, 1/s: nine tenths of the way within a quarter of a second, without overshoot. */
const RATE = 20;
/** How quickly a held body stops spinning about its grip, 1/s. */
const CALM = 8;

const velocity = zeroVector();
const force = zeroVector();
const spin = zeroVector();

/**
 * Draws a point of a body to a place (both world frame, metres) by a critically damped spring as stiff as the body is
 * heavy, which also carries its weight; the force in N is cut to `strongest`. Acts for one step.
 */
export function leash(loads: Loads, body: RigidBody, point: Vector, place: Vector, strongest: number): void {
  const mass = body.mass();
  body.velocityAtPoint(point, velocity);
  const along = (from: number, to: number, speed: number) => mass * RATE * (RATE * (to - from) - 2 * speed);
  force.x = along(point.x, place.x, velocity.x);
  force.y = along(point.y, place.y, velocity.y);
  force.z = along(point.z, place.z, velocity.z) - mass * GRAVITY.z;
  const share = Math.min(1, strongest / Math.hypot(force.x, force.y, force.z));
  force.x *= share;
  force.y *= share;
  force.z *= share;
  loads.push(body, force, point);
  const { x, y, z } = body.principalInertia(spin);
  const drag = -CALM * Math.max(x, y, z);
  body.angvel(spin);
  spin.x *= drag;
  spin.y *= drag;
  spin.z *= drag;
  loads.turn(body, spin);
}
