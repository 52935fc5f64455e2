import { type SixLegs, sixValues, type Vec3 } from "../description/frames.ts";
import { HEAD_AT_ZERO, LEGS } from "../description/geometry.ts";
import { JOINTS } from "../description/joints.ts";
import { add, cross, dot, norm, scale, subtract } from "./vector.ts";

/**
 * One leg, prepared for solving. With the joint at angle t the elbow is at `centre + arm cos t + side sin t`,
 * trunk frame.
 */
export interface LegSolver {
  readonly name: (typeof JOINTS)[number]["name"];
  readonly range: readonly [lower: number, upper: number];
  /** Centre of the circle that the elbow moves on. */
  readonly centre: Vec3;
  /** From there to the elbow at zero and at a quarter turn, metres. */
  readonly arm: Vec3;
  readonly side: Vec3;
  /** Centre of the ball joint that joins the rod to the head, head frame. */
  readonly ball: Vec3;
  /** Length of the rod, metres. */
  readonly rod: number;
  /** Which of the two elbow positions that reach a ball is the assembled one: +1 or -1. */
  readonly bend: 1 | -1;
}

/**
 * The joint angle that puts the elbow one rod's length from `ball` (trunk frame), by the cosine law in the plane of
 * the arm, -pi to pi; NaN when no angle does. `margin` (0 to 1) is the sine of the smallest angle between arm and rod
 * that still counts as reachable; 0 is arm and rod in one line.
 */
export function legAngle(leg: LegSolver, [x, y, z]: Vec3, margin = 0): number {
  const { centre, arm, side, rod } = leg;
  const [dx, dy, dz] = [x - centre[0], y - centre[1], z - centre[2]];
  const along = dx * arm[0] + dy * arm[1] + dz * arm[2];
  const across = dx * side[0] + dy * side[1] + dz * side[2];
  const squares = dx * dx + dy * dy + dz * dz + dot(arm, arm) - rod * rod;
  const cosine = squares / (2 * Math.sqrt(along * along + across * across));
  if (!(1 - cosine * cosine >= margin * margin)) return Number.NaN;
  const angle = Math.atan2(across, along) + leg.bend * Math.acos(cosine);
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}

/** Metres by which the rod is too short (positive) or too long (negative) to join `ball` to the nearest point of its circle. */
export function shortfall(leg: LegSolver, ball: Vec3): number {
  const d = subtract(ball, leg.centre);
  const radius = norm(leg.arm);
  const axis = cross(leg.arm, leg.side);
  const height = dot(d, axis) / (radius * radius);
  const spread = Math.sqrt(Math.max(0, dot(d, d) - height * height));
  const farthest = Math.hypot(spread + radius, height);
  const nearest = Math.hypot(spread - radius, height);
  return nearest > leg.rod ? nearest - leg.rod : Math.min(0, farthest - leg.rod);
}

function prepare(index: 0 | 1 | 2 | 3 | 4 | 5): LegSolver {
  const { motor, axis, elbow, ball } = LEGS[index];
  const { name, range } = JOINTS[(index + 1) as 1 | 2 | 3 | 4 | 5 | 6];
  const reach = subtract(elbow, motor);
  const offset = scale(axis, dot(reach, axis));
  const arm = subtract(reach, offset);
  const assembled = add(HEAD_AT_ZERO, ball);
  const leg = {
    name,
    range,
    centre: add(motor, offset),
    arm,
    side: cross(axis, arm),
    ball,
    rod: norm(subtract(assembled, elbow)),
    bend: 1 as const,
  };
  // The robot is assembled with every joint near zero; the other bend needs a distant angle for the same ball.
  const other = { ...leg, bend: -1 as const };
  return Math.abs(legAngle(leg, assembled)) < Math.abs(legAngle(other, assembled)) ? leg : other;
}

/** Legs 1 to 6. */
export const LEG_SOLVERS: SixLegs<LegSolver> = sixValues(prepare);
