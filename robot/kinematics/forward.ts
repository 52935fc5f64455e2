import type { Pose, SixLegs } from "../description/frames.ts";
import { legAngles } from "./inverse.ts";
import { LEVER, platformCondition, rodRows } from "./jacobian.ts";
import { solveSix } from "./linear.ts";
import { IDENTITY, poseFrom, positionOf, rotationOf, turned } from "./pose.ts";
import { multiply, normalizeQuaternion } from "./quaternion.ts";

/** Rods may miss their length by this much, metres: far below what the gears can hold, far above rounding. */
const CLOSED = 1e-11;
const MAX_NEWTON_STEPS = 12;
/** Longest Newton step, metres (or radians times `LEVER`): longer ones leave the region where it converges. */
const MAX_STEP = 0.03;
/** Joint-space steps from the neutral head when the plain attempt ends elsewhere. */
const DETOUR_STEPS = 24;

const rows = new Float64Array(42);
const NEUTRAL_ANGLES = legAngles(IDENTITY, 0);

/**
 * The head pose that six joint angles hold, by Newton's method on the rod lengths.
 * @param stewart radians, legs 1 to 6
 * @param bodyYaw radians
 * @param guess a nearby head pose, best the last one; with a good guess it takes two or three steps. Without one, or
 *   when the guess leads to a flipped platform, the joints are followed from the neutral head.
 * @returns world frame, relative to the neutral head; undefined when the six rods cannot be joined
 */
export function forwardKinematics(stewart: SixLegs, bodyYaw: number, guess?: Pose): Pose | undefined {
  const start = guess === undefined ? IDENTITY : turned(guess, -bodyYaw);
  const pose = held(stewart, start) ?? follow(stewart);
  return pose === undefined ? undefined : turned(pose, bodyYaw);
}

/** The unflipped solution that Newton's method finds from here. */
function held(stewart: SixLegs, start: Pose): Pose | undefined {
  const pose = newton(stewart, start);
  return pose !== undefined && platformCondition(pose, stewart) > 0 ? pose : undefined;
}

function follow(stewart: SixLegs): Pose | undefined {
  let pose: Pose | undefined = IDENTITY;
  for (let step = 1; step <= DETOUR_STEPS && pose !== undefined; step++) {
    const part = step / DETOUR_STEPS;
    const between = (index: 0 | 1 | 2 | 3 | 4 | 5) =>
      NEUTRAL_ANGLES[index] + (stewart[index] - NEUTRAL_ANGLES[index]) * part;
    pose = held([between(0), between(1), between(2), between(3), between(4), between(5)], pose);
  }
  return pose;
}

function newton(stewart: SixLegs, start: Pose): Pose | undefined {
  let pose = start;
  for (let step = 0; step < MAX_NEWTON_STEPS; step++) {
    if (rodRows(pose, stewart, rows) < CLOSED) return pose;
    if (solveSix(rows) === 0) return undefined;
    pose = moved(pose);
  }
  return rodRows(pose, stewart, rows) < CLOSED ? pose : undefined;
}

/** The pose one Newton step on; the step stands in the last column of `rows`. */
function moved(pose: Pose): Pose {
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
