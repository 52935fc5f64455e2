import type { Pose, SixLegs } from "../../description/frames.ts";
import { JOINTS } from "../../description/joints.ts";
import { forwardKinematics } from "../../kinematics/forward.ts";
import { inverseKinematics, legAngles, PASSING_MARGINS } from "../../kinematics/inverse.ts";
import { IDENTITY, interpolatePose } from "../../kinematics/pose.ts";
import { approach, brake, type Motion, stoppingPositions } from "./rate-limits.ts";

const LEG_JOINTS = JOINTS.slice(1, 7);
const NEUTRAL_LEGS = legAngles(IDENTITY, 0);
const NO_VELOCITY = [0, 0, 0, 0, 0, 0];
/** Radians of the leg that turns most, for the straight steps of a bent path; the short one is for the edge of the workspace. */
const STEP_SIZES = [0.2, 0.02];
const ratesOver = (divisor: number) =>
  LEG_JOINTS.map(({ maxVelocity, maxAcceleration }) => ({
    maxVelocity: maxVelocity / divisor,
    maxAcceleration: maxAcceleration / divisor,
  }));
/** Rates near the edge of the workspace, where braking from full rates needs too much room. */
const SLOW_RATES = ratesOver(10);
/** Rates for the way back from outside the workspace, where a person may be holding the legs. */
const RECOVERY_RATES = ratesOver(4);
/** Radians between two checked points of a path. */
const CHECK_STEP = 0.05;
/** Radians by which the inverse kinematics of a pose may differ from its joints: more means an arm bent the wrong way. */
const SAME_ANGLE = 1e-6;
/** Radians, for rounding. Angles beyond their range are clamped, so that more would exceed the acceleration noticeably. */
const RANGE_SLACK = 1e-9;

/** The six legs in motion. */
interface Platform {
  readonly motion: Motion;
  /** The pose that the joints hold, trunk frame. */
  readonly head: Pose;
  /** Whether the legs can brake from here without leaving the workspace. */
  readonly insideWorkspace: boolean;
}

/** The goal of the legs, and the head pose that they hold there, trunk frame. */
interface PlatformAim extends Motion {
  readonly head: Pose;
}

const clampToRanges = (positions: readonly number[]) =>
  LEG_JOINTS.map(({ range }, index) => Math.min(range[1], Math.max(range[0], positions[index] as number)));

const areInRange = (positions: readonly number[]) =>
  LEG_JOINTS.every(({ range }, index) => {
    const position = positions[index] as number;
    return position >= range[0] - RANGE_SLACK && position <= range[1] + RANGE_SLACK;
  });

/** The head pose of these joint angles; undefined when it is outside the workspace. */
function poseInWorkspace(positions: readonly number[], guess: Pose): Pose | undefined {
  const head = forwardKinematics(positions as unknown as SixLegs, 0, guess);
  if (head === undefined) return undefined;
  const answer = inverseKinematics(head, 0, PASSING_MARGINS);
  if (answer.status !== "reachable") return undefined;
  return answer.stewart.every((angle, index) => Math.abs(angle - (positions[index] as number)) < SAME_ANGLE)
    ? head
    : undefined;
}

/**
 * The head pose of this motion; undefined when the legs cannot brake from it without leaving the workspace. Checks the
 * braking path of the shortest ticks, which is the longest: ticks of any length then brake along a checked path.
 */
function brakeablePose(motion: Motion, guess: Pose, dt: number): Pose | undefined {
  if (!areInRange(motion.positions) || !areInRange(stoppingPositions(motion, LEG_JOINTS, dt))) return undefined;
  const head = poseInWorkspace(motion.positions, guess);
  const end = clampToRanges(stoppingPositions(motion, LEG_JOINTS));
  const checks = Math.ceil(largestTurn(motion.positions, end) / CHECK_STEP);
  let pose = head;
  for (let check = 1; check <= checks && pose !== undefined; check++) {
    pose = poseInWorkspace(interpolate(motion.positions, end, check / checks), pose);
  }
  return pose === undefined ? undefined : head;
}

const interpolate = (a: readonly number[], b: readonly number[], part: number) =>
  a.map((value, index) => value + ((b[index] as number) - value) * part);

/** Turn of the leg that turns most, radians. */
const largestTurn = (from: readonly number[], to: readonly number[]) =>
  Math.max(...to.map((position, index) => Math.abs(position - (from[index] as number))));

/** Whether the legs can turn along a straight line from these angles, which hold `head`, to others. */
function isLegPathClear(from: readonly number[], to: readonly number[], head: Pose): boolean {
  const checks = Math.ceil(largestTurn(from, to) / CHECK_STEP);
  let pose: Pose | undefined = head;
  for (let check = 1; check < checks && pose !== undefined; check++)
    pose = poseInWorkspace(interpolate(from, to, check / checks), pose);
  return pose !== undefined;
}

/** Whether the head can move along a straight line between two poses, checked at this many points. */
function isHeadPathClear(from: Pose, to: Pose, checks: number): boolean {
  for (let check = 1; check <= checks; check++) {
    const pose = interpolatePose(from, to, check / checks);
    if (inverseKinematics(pose, 0, PASSING_MARGINS).status !== "reachable") return false;
  }
  return true;
}

/**
 * Where to go next, the best first: to the aim in joint angles; towards it with the head on a straight line; towards the
 * neutral pose with the head on a straight line, since every pose can be reached from there.
 */
function* candidateAims({ motion, head }: Platform, aim: PlatformAim): Generator<Motion> {
  if (isLegPathClear(motion.positions, aim.positions, head)) yield aim;
  for (const end of [aim.head, IDENTITY]) {
    const distance = largestTurn(motion.positions, legAngles(end, 0));
    if (!isHeadPathClear(head, end, Math.ceil(distance / CHECK_STEP))) continue;
    for (const piece of STEP_SIZES) {
      const next = interpolatePose(head, end, Math.min(1, piece / distance));
      yield { positions: legAngles(next, 0), velocities: NO_VELOCITY };
    }
  }
}

/** The legs at a standstill with these angles. */
export function initialPlatform(positions: readonly number[], guess = IDENTITY): Platform {
  const motion = { positions, velocities: NO_VELOCITY };
  const head = brakeablePose(motion, guess, 0);
  return { motion, head: head ?? guess, insideWorkspace: head !== undefined };
}

/**
 * One tick towards an aim inside the workspace. Some straight lines between two poses leave the workspace, so the first
 * candidate whose path stays inside is taken. A step is made only when the legs can brake after it without leaving the
 * workspace; otherwise a slower step is tried; otherwise the legs brake, on the path that was checked for the step
 * before. So legs that are inside the workspace stay inside, whatever is requested.
 *
 * Legs that start outside (moved by hand, or settled beyond a limit) go towards the neutral head until they are inside.
 */
export function stepPlatform(platform: Platform, aim: PlatformAim, dt: number): Platform {
  const { motion, head, insideWorkspace } = platform;
  if (!insideWorkspace) return recover(motion, head, dt);
  const moving = motion.velocities.some((velocity) => velocity !== 0);
  for (const candidate of candidateAims(platform, aim)) {
    for (const rates of [LEG_JOINTS, SLOW_RATES]) {
      const next = approach(motion, candidate, rates, dt);
      const pose = brakeablePose(next, head, dt);
      if (pose !== undefined) return { motion: next, head: pose, insideWorkspace };
    }
    if (moving) break;
  }
  const braked = brake(motion, LEG_JOINTS, dt);
  const positions = clampToRanges(braked.positions);
  const held = forwardKinematics(positions as unknown as SixLegs, 0, head);
  return { motion: { ...braked, positions }, head: held ?? head, insideWorkspace };
}

function recover(motion: Motion, guess: Pose, dt: number): Platform {
  const next = approach(motion, { positions: NEUTRAL_LEGS, velocities: NO_VELOCITY }, RECOVERY_RATES, dt);
  const head = brakeablePose(next, guess, dt);
  return { motion: next, head: head ?? guess, insideWorkspace: head !== undefined };
}
