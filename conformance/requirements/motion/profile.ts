import { JOINTS } from "../../../robot/description/joints.ts";
import { initialState, type LimiterState, limitTarget } from "../../../robot/motion/limits/limit-target.ts";
import type { Delay } from "../../evidence/app-run.ts";
import { mergeParts, type SentTarget } from "./targets.ts";

/** Seconds between two samples of a course, and half the width of the averaging window. */
const STEP = 0.04;
const WINDOW = 0.1;
/** Seconds without a target that end a course. */
const GAP = 0.25;
/** rad/s3 of jerk, averaged as below, for each rad/s2 that a joint may accelerate at: a step of a leg by 10 degrees. */
const JERK_PER_ACCELERATION = 3;

/** Part of the highest velocity at which single steps may go from target to target: their times are not exact. */
const STEP_SHARE = 1.25;

const QUANTITIES = ["velocity", "acceleration", "jerk"] as const;
/** rad/s, rad/s2, rad/s3. */
type Rates = Record<(typeof QUANTITIES)[number], number>;

/** The highest value of one quantity of one joint in a course, and its limit. */
export interface Peak {
  joint: string;
  /** `step`: from one target to the next one; the others are averaged, so that they do not see what goes to and fro. */
  what: (typeof QUANTITIES)[number] | "step";
  /** rad/s, rad/s2, rad/s3; of a step rad/s. */
  value: number;
  limit: number;
  t: number;
}

/** The nine joint angles of a target, in the order of JOINTS. */
interface Point {
  t: number;
  joints: readonly number[];
}

/**
 * The joint angles of the targets, before any limit on rates. A goto or a pause begins a new course.
 * @param delays targets that came during one are left out: how fast they follow one another is not the app's doing
 */
export function coursesOf(targets: readonly SentTarget[], delays: readonly Delay[] = []): Point[][] {
  const cameDuringDelay = (t: number) => delays.some((delay) => t >= delay.t - delay.seconds && t <= delay.t);
  const courses: Point[][] = [];
  let state: LimiterState = initialState(JOINTS.map(() => 0));
  let last = Number.NEGATIVE_INFINITY;
  for (const { t, isGoto, target } of mergeParts(targets)) {
    state = limitTarget(target, state, 0.02).state;
    if (isGoto || cameDuringDelay(t)) {
      last = Number.NEGATIVE_INFINITY;
      continue;
    }
    if (t - last > GAP) courses.push([]);
    courses.at(-1)?.push({ t, joints: state.aims });
    last = t;
  }
  return courses;
}

/**
 * The highest velocity, acceleration and jerk of each course and joint. On a busy machine targets arrive in bursts, or the
 * app's loop skips a period. So the rates at each target are computed twice, with the times of arrival and with even times,
 * and the lower value counts.
 */
export function peaksOf(courses: readonly (readonly Point[])[]): Peak[] {
  return courses.flatMap((course) => {
    const even = withEvenTimes(course);
    return JOINTS.flatMap((_, joint) => {
      const peaks = peaksOfJoint([course, even], joint);
      return peaks.length === 0 ? [] : [...peaks, stepOfJoint(course, even, joint)];
    });
  });
}

function withEvenTimes(course: readonly Point[]): Point[] {
  const [from, until] = [course[0]?.t ?? 0, course.at(-1)?.t ?? 0];
  const step = (until - from) / Math.max(course.length - 1, 1);
  return course.map(({ joints }, at) => ({ t: from + at * step, joints }));
}

/** @param courses the same targets with the times of arrival and with even times */
function peaksOfJoint(courses: readonly [readonly Point[], readonly Point[]], index: number): Peak[] {
  const joint = JOINTS[index] as (typeof JOINTS)[number];
  const limits: Rates = {
    velocity: joint.maxVelocity,
    acceleration: joint.maxAcceleration,
    jerk: JERK_PER_ACCELERATION * joint.maxAcceleration,
  };
  const peaks = new Map<Peak["what"], Peak>();
  for (const at of courses[0].keys()) {
    const [one, other] = courses.map((course) => ratesAt(course, index, (course[at] as Point).t));
    if (!one || !other) continue;
    for (const what of QUANTITIES) {
      const value = Math.min(one[what], other[what]);
      const { t } = courses[0][at] as Point;
      if (value >= (peaks.get(what)?.value ?? 0))
        peaks.set(what, { joint: joint.name, what, value, limit: limits[what], t });
    }
  }
  return [...peaks.values()];
}

/** The fastest step of a joint from one target to the next. @param even the course with even times */
function stepOfJoint(course: readonly Point[], even: readonly Point[], index: number): Peak {
  const { name, maxVelocity } = JOINTS[index] as (typeof JOINTS)[number];
  const period = (even[1] as Point).t - (even[0] as Point).t;
  const steps = course.slice(1).map(({ t, joints }, at): Peak => {
    const before = course[at] as Point;
    const angle = Math.abs((joints[index] as number) - (before.joints[index] as number));
    const value = angle / Math.max(t - before.t, period);
    return { joint: name, what: "step", value, limit: STEP_SHARE * maxVelocity, t };
  });
  return steps.reduce((one, other) => (other.value > one.value ? other : one));
}

/** A joint's rates at a moment, without their signs; null where the course begins or ends. */
function ratesAt(course: readonly Point[], joint: number, t: number): Rates | null {
  const [from, until] = [(course[0] as Point).t, (course.at(-1) as Point).t];
  const reach = WINDOW + 1.5 * STEP;
  if (t - reach < from || t + reach > until) return null;
  const angles = [-1.5, -0.5, 0.5, 1.5].map((steps) => smoothed(course, joint, t + steps * STEP));
  const differences = (values: readonly number[]) =>
    values.slice(1).map((value, at) => (value - (values[at] as number)) / STEP);
  const velocities = differences(angles);
  const accelerations = differences(velocities);
  const highest = (values: readonly number[]) => Math.max(...values.map(Math.abs));
  return {
    velocity: highest(velocities),
    acceleration: highest(accelerations),
    jerk: highest(differences(accelerations)),
  };
}

/** A joint's angle at a moment, averaged with triangular weights over the window, which removes the jitter of the arrival times. */
function smoothed(course: readonly Point[], joint: number, t: number): number {
  let [sum, weight] = [0, 0];
  const samples = 10;
  for (let at = -samples; at <= samples; at += 1) {
    const share = 1 - Math.abs(at) / (samples + 1);
    sum += share * angleAt(course, joint, t + (at / samples) * WINDOW);
    weight += share;
  }
  return sum / weight;
}

function angleAt(course: readonly Point[], joint: number, t: number): number {
  let [low, high] = [0, course.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((course[middle] as Point).t <= t) low = middle;
    else high = middle;
  }
  const [before, after] = [course[low] as Point, course[high] as Point];
  const share = after.t === before.t ? 1 : Math.min(1, Math.max(0, (t - before.t) / (after.t - before.t)));
  return (before.joints[joint] as number) * (1 - share) + (after.joints[joint] as number) * share;
}
