import { type Pose, type SixLegs, sixValues } from "../description/frames.ts";
import { MAX_HEAD_BODY_YAW, MAX_ROLL_PITCH } from "../description/limits.ts";
import { inverseKinematics, legAngles } from "./inverse.ts";
import { IDENTITY, poseFromRpy, positionOf, rotatedByYaw, rpyOf } from "./pose.ts";

/** A head pose that the platform can hold, with its joint angles. */
interface Reachable {
  /** World frame, relative to the neutral head. */
  readonly head: Pose;
  readonly stewart: SixLegs;
}

/** Bisections of a segment: to 2^-12 of it, hundredths of a millimetre. */
const BISECTIONS = 12;
/** Number of times that each coordinate is moved towards the target. */
const ROUNDS = 2;

/** x, y, z, roll, pitch, yaw in the trunk frame; metres and radians. */
type Coordinates = SixLegs;

interface Reached {
  readonly coordinates: Coordinates;
  readonly stewart: SixLegs;
}

const NEUTRAL: Reached = { coordinates: [0, 0, 0, 0, 0, 0], stewart: legAngles(IDENTITY, 0) };

const poseOf = ([x, y, z, roll, pitch, yaw]: Coordinates): Pose => poseFromRpy([x, y, z], { roll, pitch, yaw });

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

function clampTurns(pose: Pose): Coordinates {
  const { roll, pitch, yaw } = rpyOf(pose);
  const turns = [clamp(roll, MAX_ROLL_PITCH), clamp(pitch, MAX_ROLL_PITCH), clamp(yaw, MAX_HEAD_BODY_YAW)] as const;
  return [...positionOf(pose), ...turns];
}

function reach(coordinates: Coordinates): Reached | undefined {
  const answer = inverseKinematics(poseOf(coordinates), 0);
  return answer.status === "reachable" ? { coordinates, stewart: answer.stewart } : undefined;
}

/** The farthest reachable point, to the precision of `BISECTIONS`, on the straight segment from `start` to `end`. */
function farthestTowards(start: Reached, end: Coordinates): Reached {
  const from = start.coordinates;
  let held = reach(end);
  if (held !== undefined) return held;
  held = start;
  let inside = 0;
  for (let width = 0.5; width >= 2 ** -BISECTIONS; width /= 2) {
    const t = inside + width;
    const tried = reach(sixValues((i) => from[i] + (end[i] - from[i]) * t));
    if (tried === undefined) continue;
    held = tried;
    inside = t;
  }
  return held;
}

/**
 * The requested pose when it is reachable, else one near it. First roll, pitch and the yaw relative to the body are
 * clamped to their limits. Then the pose moves straight towards the neutral head (every reachable pose can be reached
 * from there on a straight line) until it is reachable. From there each of x, y, z, roll, pitch and yaw in turn moves
 * back towards the request as far as it can, in two rounds.
 *
 * Deterministic and bounded: at most 170 runs of the inverse kinematics, a third of a millisecond.
 * @param head world frame, relative to the neutral head; must be a rigid transform of finite numbers
 * @param bodyYaw radians
 */
export function nearestReachable(head: Pose, bodyYaw: number): Reachable {
  const requested = rotatedByYaw(head, -bodyYaw);
  const direct = inverseKinematics(requested, 0);
  if (direct.status === "reachable") return { head, stewart: direct.stewart };

  const goal = clampTurns(requested);
  let found = farthestTowards(NEUTRAL, goal);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [coordinate, goalValue] of goal.entries()) {
      found = farthestTowards(found, found.coordinates.with(coordinate, goalValue) as unknown as Coordinates);
    }
  }
  return { head: rotatedByYaw(poseOf(found.coordinates), bodyYaw), stewart: found.stewart };
}
