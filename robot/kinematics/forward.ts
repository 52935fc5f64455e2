import { type Pose, type SixLegs, sixValues } from "../description/frames.ts";
import { legAngles } from "./inverse.ts";
import { LEVER, platformCondition, rodRows } from "./jacobian.ts";
import { solveSix } from "./linear.ts";
import { IDENTITY, poseFrom, positionOf, rotatedByYaw, rotationOf } from "./pose.ts";
import { multiply, normalizeQuaternion } from "./quaternion.ts";

/** Error in a rod's length that counts as solved, metres: far below the play of the gears, far above rounding. */
const ROD_TOLERANCE = 1e-11;
const MAX_NEWTON_STEPS = 12;
/** Longest Newton step, metres (or radians times `LEVER`): longer ones leave the region of convergence. */
const MAX_STEP = 0.03;
/** Steps in joint space from the neutral head when Newton's method alone does not find the pose. */
const CONTINUATION_STEPS = 24;

const rows = new Float64Array(42);
const NEUTRAL_ANGLES = legAngles(IDENTITY, 0);

/**
 * The head pose of six joint angles, by Newton's method on the rod lengths.
 * @param stewart radians, legs 1 to 6
 * @param bodyYaw radians
 * @param guess a nearby head pose, best the last one; the neutral head unless given. When Newton's method finds no
 *   unflipped pose from there, the joints are followed in 24 steps from the neutral head.
 * @returns world frame, relative to the neutral head; undefined when the six rods cannot be joined
 */
export function forwardKinematics(stewart: SixLegs, bodyYaw: number, guess?: Pose): Pose | undefined {
  const start = guess === undefined ? IDENTITY : rotatedByYaw(guess, -bodyYaw);
  const pose = unflippedPose(stewart, start) ?? poseByContinuation(stewart);
  return pose === undefined ? undefined : rotatedByYaw(pose, bodyYaw);
}

/** The solution that Newton's method finds from `start`; undefined when it is flipped or not found. */
function unflippedPose(stewart: SixLegs, start: Pose): Pose | undefined {
  const pose = newton(stewart, start);
  return pose !== undefined && platformCondition(pose, stewart) > 0 ? pose : undefined;
}

function poseByContinuation(stewart: SixLegs): Pose | undefined {
  let pose: Pose | undefined = IDENTITY;
  for (let step = 1; step <= CONTINUATION_STEPS && pose !== undefined; step++) {
    const part = step / CONTINUATION_STEPS;
    const between = sixValues((leg) => NEUTRAL_ANGLES[leg] + (stewart[leg] - NEUTRAL_ANGLES[leg]) * part);
    pose = unflippedPose(between, pose);
  }
  return pose;
}

function newton(stewart: SixLegs, start: Pose): Pose | undefined {
  let pose = start;
  for (let step = 0; step < MAX_NEWTON_STEPS; step++) {
    if (rodRows(pose, stewart, rows) < ROD_TOLERANCE) return pose;
    if (solveSix(rows) === 0) return undefined;
    pose = newtonStep(pose);
  }
  return rodRows(pose, stewart, rows) < ROD_TOLERANCE ? pose : undefined;
}

/** The pose after one Newton step, which is in the last column of `rows`. */
function newtonStep(pose: Pose): Pose {
  const [dx, dy, dz] = [rows[6] as number, rows[13] as number, rows[20] as number];
  const [rx, ry, rz] = [rows[27] as number, rows[34] as number, rows[41] as number];
  const longest = Math.max(Math.hypot(dx, dy, dz), Math.hypot(rx, ry, rz));
  const part = longest > MAX_STEP ? MAX_STEP / longest : 1;
  const [x, y, z] = positionOf(pose);
  const half = part / (2 * LEVER);
  // First order in the angle, then normalized: the next step corrects what that misses.
  const turn = normalizeQuaternion([rx * half, ry * half, rz * half, 1]);
  return poseFrom([x + dx * part, y + dy * part, z + dz * part], normalizeQuaternion(multiply(turn, rotationOf(pose))));
}
