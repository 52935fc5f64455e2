import type { RigidBody, Vector } from "@dimforge/rapier3d-compat";
import { noRotation, rotated, toVector, zeroVector } from "./linear.ts";
import type { Parts } from "./parts.ts";
import { LEG_PLANS } from "./plan.ts";

const ELBOWS = LEG_PLANS.map(({ elbow }) => toVector(elbow));
const TOPS = LEG_PLANS.map(({ top }) => toVector(top));
const BALLS = LEG_PLANS.map(({ ball }) => toVector(ball));
const RODS_OWN_ORIGIN = zeroVector();

const rotation = noRotation();
const position = zeroVector();
const first = zeroVector();
const second = zeroVector();

/** The widest gap in any of the platform's twelve ball joints, metres: how far the closed loops are from closed. */
export function widestGap(parts: Parts): number {
  let widest = 0;
  LEG_PLANS.forEach(({ arm, rod }, leg) => {
    const elbow = gap(parts[arm], ELBOWS[leg] as Vector, parts[rod], RODS_OWN_ORIGIN);
    const top = gap(parts[rod], TOPS[leg] as Vector, parts.head, BALLS[leg] as Vector);
    widest = Math.max(widest, elbow, top);
  });
  return widest;
}

function gap(a: RigidBody, onA: Vector, b: RigidBody, onB: Vector): number {
  worldPoint(a, onA, first);
  worldPoint(b, onB, second);
  return Math.hypot(first.x - second.x, first.y - second.y, first.z - second.z);
}

/** Where a point of a body is in the world; writes into `out`. */
export function worldPoint(body: RigidBody, local: Vector, out: Vector): Vector {
  rotated(body.rotation(rotation), local, out);
  body.translation(position);
  out.x += position.x;
  out.y += position.y;
  out.z += position.z;
  return out;
}
