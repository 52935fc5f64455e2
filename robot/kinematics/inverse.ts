import type { Pose, SixLegs, Vec3 } from "../description/frames.ts";
import { HEAD_HEIGHT } from "../description/geometry.ts";
import { MAX_HEAD_BODY_YAW, MAX_ROLL_PITCH } from "../description/limits.ts";
import { platformCondition } from "./jacobian.ts";
import { LEG_SOLVERS, type LegSolver, legAngle, shortfall } from "./legs.ts";
import { rpyOf, turned } from "./pose.ts";

type LegName = LegSolver["name"];

/**
 * The six joint angles of a head pose, or what stands against it:
 * - `out-of-reach`: the leg's rod is too short (`by` > 0, metres) or too long (`by` < 0), or arm and rod are so nearly
 *   in one line that the arm has no hold (`by` = 0);
 * - `beyond-range`: the leg's joint would have to leave its range by `by` radians;
 * - `turned-too-far`: roll, pitch or the yaw relative to the body exceeds its limit by `by` radians;
 * - `loose`: the legs can be joined, but the platform would have no hold in some direction or would have had to flip
 *   to get there.
 */
export type InverseKinematics =
  | { readonly status: "reachable"; readonly stewart: SixLegs }
  | { readonly status: "out-of-reach"; readonly joint: LegName; readonly by: number }
  | { readonly status: "beyond-range"; readonly joint: LegName; readonly by: number; readonly stewart: SixLegs }
  | { readonly status: "turned-too-far"; readonly axis: "roll" | "pitch" | "yaw"; readonly by: number }
  | { readonly status: "loose"; readonly stewart: SixLegs };

/** How near to its limits a pose may be. */
export interface Margins {
  /** Sine of the smallest angle between arm and rod, seen along the motor's axis, at which the arm still holds. */
  readonly hold: number;
  /** Smallest platform condition (1 with every joint at zero) that counts as held. */
  readonly condition: number;
  /** Radians by which roll, pitch and yaw may exceed their limits, and joint angles their range. */
  readonly turn: number;
  readonly range: number;
}
/** For a pose to be asked for. `range` covers rounding only. */
export const TARGET_MARGINS: Margins = { hold: 0.1, condition: 0.1, turn: 1e-9, range: 1e-9 };
/** For a pose to pass through: the way between two targets may bulge a little beyond what can be asked for. */
export const PASSING_MARGINS: Margins = { hold: 0.09, condition: 0.09, turn: Math.PI / 180, range: 1e-6 };

/** Where the head carries the leg's ball joint, trunk frame. */
const ballOf = ({ ball: [x, y, z] }: LegSolver, m: Pose): Vec3 => [
  m[0] * x + m[1] * y + m[2] * z + m[3],
  m[4] * x + m[5] * y + m[6] * z + m[7],
  m[8] * x + m[9] * y + m[10] * z + m[11] + HEAD_HEIGHT,
];

const angleOf = (leg: LegSolver, pose: Pose, margin: number): number => legAngle(leg, ballOf(leg, pose), margin);

/**
 * The joint angles whose rods end at the balls of this head, leg by leg and with no regard to any limit.
 * @returns radians, NaN for a leg that cannot reach
 */
export function legAngles(head: Pose, bodyYaw: number, margin = 0): SixLegs {
  const pose = bodyYaw === 0 ? head : turned(head, -bodyYaw);
  const [l1, l2, l3, l4, l5, l6] = LEG_SOLVERS;
  return [
    angleOf(l1, pose, margin),
    angleOf(l2, pose, margin),
    angleOf(l3, pose, margin),
    angleOf(l4, pose, margin),
    angleOf(l5, pose, margin),
    angleOf(l6, pose, margin),
  ];
}

/**
 * Inverse kinematics in closed form: each rod's far end is where the head carries it, so that each leg is a triangle of
 * its own.
 * @param head world frame, relative to the neutral head, metres
 * @param bodyYaw radians; turns the platform's base under the head
 */
export function inverseKinematics(head: Pose, bodyYaw: number, margins = TARGET_MARGINS): InverseKinematics {
  const pose = turned(head, -bodyYaw);
  const turn = overturn(pose, margins.turn);
  if (turn !== undefined) return turn;
  const stewart = legAngles(pose, 0, margins.hold);
  const reach = reachProblem(pose, stewart, margins.range);
  if (reach !== undefined) return reach;
  if (platformCondition(pose, stewart) < margins.condition) return { status: "loose", stewart };
  return { status: "reachable", stewart };
}

function overturn(pose: Pose, margin: number): InverseKinematics | undefined {
  const { roll, pitch, yaw } = rpyOf(pose);
  const over = { roll: Math.abs(roll) - MAX_ROLL_PITCH, pitch: Math.abs(pitch) - MAX_ROLL_PITCH };
  if (over.roll > margin) return { status: "turned-too-far", axis: "roll", by: over.roll };
  if (over.pitch > margin) return { status: "turned-too-far", axis: "pitch", by: over.pitch };
  const by = Math.abs(yaw) - MAX_HEAD_BODY_YAW;
  return by > margin ? { status: "turned-too-far", axis: "yaw", by } : undefined;
}

function reachProblem(pose: Pose, stewart: SixLegs, margin: number): InverseKinematics | undefined {
  for (const [index, leg] of LEG_SOLVERS.entries()) {
    const angle = stewart[index] as number;
    if (Number.isNaN(angle)) return { status: "out-of-reach", joint: leg.name, by: shortfall(leg, ballOf(leg, pose)) };
    const by = Math.max(leg.range[0] - angle, angle - leg.range[1]);
    if (by > margin) return { status: "beyond-range", joint: leg.name, by, stewart };
  }
  return undefined;
}
