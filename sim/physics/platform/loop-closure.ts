import type { RigidBody, Vector } from "@dimforge/rapier3d-simd-compat";
import { noRotation, rotated, toVector, zeroVector } from "../engine-vectors.ts";
import { LEG_LINKAGES } from "../model/linkage.ts";
import type { Parts } from "../model/parts.ts";

const ELBOWS = LEG_LINKAGES.map(({ elbow }) => toVector(elbow));
const TOPS = LEG_LINKAGES.map(({ top }) => toVector(top));
const BALLS = LEG_LINKAGES.map(({ ball }) => toVector(ball));
const ROD_ORIGIN = zeroVector();

const rotation = noRotation();
const position = zeroVector();
const first = zeroVector();
const second = zeroVector();

/** The widest gap in the platform's twelve ball joints, metres; 0 when the closed loops are exactly closed. */
export function widestGap(parts: Parts): number {
  let widest = 0;
  LEG_LINKAGES.forEach(({ arm, rod }, leg) => {
    const elbow = gap(parts[arm], ELBOWS[leg] as Vector, parts[rod], ROD_ORIGIN);
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

/** Position of a body's point in the world frame; writes into `out`. */
export function worldPoint(body: RigidBody, local: Vector, out: Vector): Vector {
  rotated(body.rotation(rotation), local, out);
  body.translation(position);
  out.x += position.x;
  out.y += position.y;
  out.z += position.z;
  return out;
}
