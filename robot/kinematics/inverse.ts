import { type Pose, type SixLegs, sixValues, type Vec3 } from "../description/frames.ts";
import { HEAD_HEIGHT } from "../description/geometry.ts";
import { MAX_HEAD_BODY_YAW, MAX_ROLL_PITCH } from "../description/limits.ts";
import { platformCondition } from "./jacobian.ts";
import { LEG_SOLVERS, type LegSolver, legAngle, shortfall } from "./legs.ts";
import { rotatedByYaw, rpyOf } from "./pose.ts";

type LegName = LegSolver["name"];

/**
 * The six joint angles of a head pose, or why the robot cannot hold it:
 * - `out-of-reach`: the leg's rod is too short (`by` > 0, metres) or too long (`by` < 0), or arm and rod are so nearly
 *   in one line that the arm cannot move the rod (`by` = 0);
 * - `beyond-range`: the leg's joint would have to leave its range by `by` radians;
 * - `turned-too-far`: roll, pitch or the yaw relative to the body exceeds its limit by `by` radians;
 * - `unstable`: the legs reach, but cannot hold the platform in some direction, or only when it flips over first.
 */
export type InverseKinematics =
  | { readonly status: "reachable"; readonly stewart: SixLegs }
  | { readonly status: "out-of-reach"; readonly joint: LegName; readonly by: number }
  | { readonly status: "beyond-range"; readonly joint: LegName; readonly by: number; readonly stewart: SixLegs }
  | { readonly status: "turned-too-far"; readonly axis: "roll" | "pitch" | "yaw"; readonly by: number }
  | { readonly status: "unstable"; readonly stewart: SixLegs };

/** How close to its limits a pose may be. */
interface Margins {
  /** Sine of the smallest angle between arm and rod, seen along the motor's axis, at which the arm still moves the rod. */
  readonly armRodSine: number;
  /** Smallest platform condition (1 with every joint at zero) that counts as stable. */
  readonly condition: number;
  /** Radians by which roll, pitch and yaw may exceed their limits, and joint angles their range. */
  readonly turn: number;
  readonly range: number;
}
/** For target poses. `range` covers rounding only. */
const TARGET_MARGINS: Margins = { armRodSine: 0.1, condition: 0.1, turn: 1e-9, range: 1e-9 };
/** For poses on the way: the path between two targets may pass a little outside the poses that can be targets. */
export const PASSING_MARGINS: Margins = { armRodSine: 0.09, condition: 0.09, turn: Math.PI / 180, range: 1e-6 };

/** Position of the leg's ball joint at a head pose, trunk frame. */
const ballOf = ({ ball: [x, y, z] }: LegSolver, m: Pose): Vec3 => [
  m[0] * x + m[1] * y + m[2] * z + m[3],
  m[4] * x + m[5] * y + m[6] * z + m[7],
  m[8] * x + m[9] * y + m[10] * z + m[11] + HEAD_HEIGHT,
];

/**
 * The joint angles of a head pose, leg by leg, without regard to any limit.
 * @returns radians, NaN for a leg that cannot reach
 */
export function legAngles(head: Pose, bodyYaw: number, margin = 0): SixLegs {
  const pose = bodyYaw === 0 ? head : rotatedByYaw(head, -bodyYaw);
  return sixValues((index) => legAngle(LEG_SOLVERS[index], ballOf(LEG_SOLVERS[index], pose), margin));
}

/**
 * Inverse kinematics in closed form: the head pose gives the far end of each rod, so each leg is a triangle that is
 * solved alone.
 * @param head world frame, relative to the neutral head, metres
 * @param bodyYaw radians; turns the platform's base under the head
 */
export function inverseKinematics(head: Pose, bodyYaw: number, margins = TARGET_MARGINS): InverseKinematics {
  const pose = rotatedByYaw(head, -bodyYaw);
  const turn = turnProblem(pose, margins.turn);
  if (turn !== undefined) return turn;
  const stewart = legAngles(pose, 0, margins.armRodSine);
  const reach = reachProblem(pose, stewart, margins.range);
  if (reach !== undefined) return reach;
  if (platformCondition(pose, stewart) < margins.condition) return { status: "unstable", stewart };
  return { status: "reachable", stewart };
}

function turnProblem(pose: Pose, margin: number): InverseKinematics | undefined {
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
