import type { Pose, SixLegs } from "../description/frames.ts";
import { MAX_HEAD_BODY_YAW, MAX_ROLL_PITCH } from "../description/limits.ts";
import { inverseKinematics, legAngles } from "./inverse.ts";
import { IDENTITY, poseFromRpy, positionOf, rpyOf, turned } from "./pose.ts";

/** A head pose that the platform can hold, with its joint angles. */
export interface Reachable {
  /** World frame, relative to the neutral head. */
  readonly head: Pose;
  readonly stewart: SixLegs;
}

/** Halvings of a segment: to 2^-12 of it, hundredths of a millimetre. */
const HALVINGS = 12;
/** Times each coordinate is pushed on towards the target. */
const ROUNDS = 2;

/** x, y, z, roll, pitch, yaw in the trunk frame; metres and radians. */
type Coordinates = SixLegs;

interface Held {
  readonly at: Coordinates;
  readonly stewart: SixLegs;
}

const NEUTRAL: Held = { at: [0, 0, 0, 0, 0, 0], stewart: legAngles(IDENTITY, 0) };

const posed = ([x, y, z, roll, pitch, yaw]: Coordinates): Pose => poseFromRpy([x, y, z], { roll, pitch, yaw });

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

function withinTurns(pose: Pose): Coordinates {
  const { roll, pitch, yaw } = rpyOf(pose);
  const turns = [clamp(roll, MAX_ROLL_PITCH), clamp(pitch, MAX_ROLL_PITCH), clamp(yaw, MAX_HEAD_BODY_YAW)] as const;
  return [...positionOf(pose), ...turns];
}

function hold(at: Coordinates): Held | undefined {
  const answer = inverseKinematics(posed(at), 0);
  return answer.status === "reachable" ? { at, stewart: answer.stewart } : undefined;
}

/** The farthest reachable point, to the precision of `HALVINGS`, on the straight segment from `start` to `end`. */
function towards(start: Held, end: Coordinates): Held {
  const from = start.at;
  const along = (i: 0 | 1 | 2 | 3 | 4 | 5, t: number) => from[i] + (end[i] - from[i]) * t;
  let held = hold(end);
  if (held !== undefined) return held;
  held = start;
  let inside = 0;
  for (let width = 0.5; width >= 2 ** -HALVINGS; width /= 2) {
    const t = inside + width;
    const tried = hold([along(0, t), along(1, t), along(2, t), along(3, t), along(4, t), along(5, t)]);
    if (tried === undefined) continue;
    held = tried;
    inside = t;
  }
  return held;
}

/**
 * The pose asked for if it can be reached, else one near it. Roll, pitch and the yaw relative to the body are cut to
 * their limits first. Then the pose is drawn straight towards the neutral head (from where every reachable pose can be
 * seen) until it is reachable, and from there each of x, y, z, roll, pitch and yaw in turn is pushed back towards what
 * was asked for as far as it goes, twice over.
 *
 * Deterministic and bounded: at most 170 inverse kinematics, a third of a millisecond.
 * @param head world frame, relative to the neutral head; must be a rigid transform of finite numbers
 * @param bodyYaw radians
 */
export function nearestReachable(head: Pose, bodyYaw: number): Reachable {
  const asked = turned(head, -bodyYaw);
  const direct = inverseKinematics(asked, 0);
  if (direct.status === "reachable") return { head, stewart: direct.stewart };

  const goal = withinTurns(asked);
  let found = towards(NEUTRAL, goal);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [coordinate, wanted] of goal.entries()) {
      found = towards(found, found.at.with(coordinate, wanted) as unknown as Coordinates);
    }
  }
  return { head: turned(posed(found.at), bodyYaw), stewart: found.stewart };
}
