import type { RigidBody, Vector } from "@dimforge/rapier3d-simd-compat";
import type { SixLegs } from "../../robot/description/frames.ts";
import { forwardKinematics } from "../../robot/kinematics/forward.ts";
import { legAngles } from "../../robot/kinematics/inverse.ts";
import { platformCondition } from "../../robot/kinematics/jacobian.ts";
import { IDENTITY, rotatedByYaw } from "../../robot/kinematics/pose.ts";
import { toVector, worldPoint, zeroVector } from "./engine-vectors.ts";
import { LEG_LINKAGES } from "./model/linkage.ts";
import type { Parts } from "./model/parts.ts";
import type { Posture } from "./model/posture.ts";

const ELBOWS = LEG_LINKAGES.map(({ elbow }) => toVector(elbow));
const TOPS = LEG_LINKAGES.map(({ top }) => toVector(top));
const BALLS = LEG_LINKAGES.map(({ ball }) => toVector(ball));
const ROD_ORIGIN = zeroVector();

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

/** Metres. The strongest motion that the motors can make opens the ball joints by a fifth of this. */
const MAX_GAP = 0.004;
/**
 * Condition of the platform (1 at the neutral head) below which the legs can lock each other. Inverse kinematics returns
 * no pose there, so a normal motion only passes through.
 */
const MIN_CONDITION = 0.1;
const CHECKS_UNTIL_SINGULAR = 30;
/** Lowest condition of a posture that `recoveredPosture` returns. */
const RECOVERED_CONDITION = 0.3;
const NEUTRAL_LEGS = legAngles(IDENTITY, 0);

/**
 * Detects that the platform has broken or flipped. Too strong a push turns it inside out: every rod still has its length,
 * but the legs hold the head the wrong way round, and no motor can bring it back. The sign of the determinant that
 * relates the head's motion to the rods' motion shows it.
 */
export class PlatformCheck {
  /** How many of the last checks in a row found a singular posture; part of a snapshot. */
  singularChecks = 0;

  /** Call every few milliseconds. `gap` is the widest gap in a ball joint, metres. */
  isIntact({ joints, head }: Posture, gap: number): boolean {
    const condition = platformCondition(rotatedByYaw(head, -bodyYaw(joints)), legs(joints));
    this.singularChecks = condition < MIN_CONDITION ? this.singularChecks + 1 : 0;
    return gap < MAX_GAP && condition > 0 && this.singularChecks < CHECKS_UNTIL_SINGULAR;
  }
}

/**
 * The nearest intact posture: body and antennas keep their angles; the legs move towards those of the neutral head until
 * the condition is at least `RECOVERED_CONDITION`.
 */
export function recoveredPosture(joints: readonly number[]): Posture {
  const yaw = orZero(bodyYaw(joints));
  const antennas = joints.slice(7).map(orZero);
  const brokenLegs = legs(joints);
  for (const share of [0, 0.25, 0.5, 0.75]) {
    const mixed = NEUTRAL_LEGS.map((angle, k) => angle + (1 - share) * ((brokenLegs[k] ?? angle) - angle));
    const stewart = mixed as unknown as SixLegs;
    const head = mixed.every(Number.isFinite) ? forwardKinematics(stewart, 0) : undefined;
    if (head !== undefined && platformCondition(head, stewart) > RECOVERED_CONDITION) {
      return { joints: [yaw, ...stewart, ...antennas], head: rotatedByYaw(head, yaw) };
    }
  }
  return { joints: [yaw, ...NEUTRAL_LEGS, ...antennas], head: rotatedByYaw(IDENTITY, yaw) };
}

const orZero = (angle: number): number => (Number.isFinite(angle) ? angle : 0);
const bodyYaw = (joints: readonly number[]): number => joints[0] ?? 0;
const legs = (joints: readonly number[]): SixLegs => joints.slice(1, 7) as unknown as SixLegs;
