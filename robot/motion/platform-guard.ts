import type { Pose, SixLegs } from "../description/frames.ts";
import { JOINTS } from "../description/joints.ts";
import { forwardKinematics } from "../kinematics/forward.ts";
import { inverseKinematics, legAngles, PASSING_MARGINS } from "../kinematics/inverse.ts";
import { IDENTITY, interpolatePose } from "../kinematics/pose.ts";
import { type Aim, approach, brake, type Motion, stop } from "./tracking.ts";

const LEGS = JOINTS.slice(1, 7);
const NEUTRAL = legAngles(IDENTITY, 0);
const STILL = [0, 0, 0, 0, 0, 0];
/** Radians of the leg that turns most, by which a bent way is taken in straight pieces; the short one is for edges. */
const PIECES = [0.2, 0.02];
/** Rates for the last bit to an aim at the edge, where the full ones would need more room to brake. */
const GENTLY = LEGS.map(({ maxVelocity, maxAcceleration }) => ({
  maxVelocity: maxVelocity / 10,
  maxAcceleration: maxAcceleration / 10,
}));
/** Rates for the way back from outside the workspace, where nobody asked the legs to be and a hand may hold them. */
const CALMLY = LEGS.map(({ maxVelocity, maxAcceleration }) => ({
  maxVelocity: maxVelocity / 4,
  maxAcceleration: maxAcceleration / 4,
}));
/** Radians between two looks along a way. */
const LOOK_EVERY = 0.05;
/** Radians by which the joints of a pose may differ from those that led to it: more means an arm bent the wrong way. */
const SAME = 1e-6;

/** The six legs in motion. */
export interface Platform {
  readonly motion: Motion;
  /** What the joints hold, trunk frame. */
  readonly head: Pose;
  /** Whether the legs could brake from here without leaving the workspace. */
  readonly secure: boolean;
}

/** Where the legs shall be, and the head pose that they then hold, trunk frame. */
export interface PlatformAim extends Aim {
  readonly head: Pose;
}

const intoRange = (positions: readonly number[]) =>
  LEGS.map(({ range }, index) => Math.min(range[1], Math.max(range[0], positions[index] as number)));

const inRange = (positions: readonly number[]) =>
  LEGS.every(({ range }, index) => {
    const position = positions[index] as number;
    return position >= range[0] - PASSING_MARGINS.range && position <= range[1] + PASSING_MARGINS.range;
  });

/** The pose that these joints hold inside the workspace; undefined when they hold none there. */
function heldPose(positions: readonly number[], guess: Pose): Pose | undefined {
  const head = forwardKinematics(positions as unknown as SixLegs, 0, guess);
  if (head === undefined) return undefined;
  const answer = inverseKinematics(head, 0, PASSING_MARGINS);
  if (answer.status !== "reachable") return undefined;
  return answer.stewart.every((angle, index) => Math.abs(angle - (positions[index] as number)) < SAME)
    ? head
    : undefined;
}

/**
 * The pose at this motion if the legs can brake from it and stay inside the workspace all the way. It looks as far as
 * the shortest ticks would carry them, so that ticks of any length brake along a path that was looked at.
 */
function securedPose(motion: Motion, guess: Pose, dt: number): Pose | undefined {
  if (!inRange(motion.positions) || !inRange(stop(motion, LEGS, dt))) return undefined;
  const head = heldPose(motion.positions, guess);
  const end = intoRange(stop(motion, LEGS));
  const looks = Math.ceil(span(motion.positions, end) / LOOK_EVERY);
  let pose = head;
  for (let look = 1; look <= looks && pose !== undefined; look++) {
    pose = heldPose(between(motion.positions, end, look / looks), pose);
  }
  return pose === undefined ? undefined : head;
}

const between = (a: readonly number[], b: readonly number[], part: number) =>
  a.map((value, index) => value + ((b[index] as number) - value) * part);

/** How far the leg that turns most has to turn, radians. */
const span = (from: readonly number[], to: readonly number[]) =>
  Math.max(...to.map((position, index) => Math.abs(position - (from[index] as number))));

/** Whether the legs can turn straight from these angles, which hold `head`, to others. */
function legsCanGo(from: readonly number[], to: readonly number[], head: Pose): boolean {
  const looks = Math.ceil(span(from, to) / LOOK_EVERY);
  let pose: Pose | undefined = head;
  for (let look = 1; look < looks && pose !== undefined; look++) pose = heldPose(between(from, to, look / looks), pose);
  return pose !== undefined;
}

/** Whether the head can go straight from pose to pose, over this many looks. */
function headCanGo(from: Pose, to: Pose, looks: number): boolean {
  for (let look = 1; look <= looks; look++) {
    const pose = interpolatePose(from, to, look / looks);
    if (inverseKinematics(pose, 0, PASSING_MARGINS).status !== "reachable") return false;
  }
  return true;
}

/**
 * Where to go next, best first: straight to the aim in joint angles; else with the head on a straight line; else with
 * the head on a straight line to its neutral pose, from where every pose can be gone to in this way.
 */
function* ways({ motion, head }: Platform, aim: PlatformAim): Generator<Aim> {
  if (legsCanGo(motion.positions, aim.positions, head)) yield aim;
  for (const end of [aim.head, IDENTITY]) {
    const distance = span(motion.positions, legAngles(end, 0));
    if (!headCanGo(head, end, Math.ceil(distance / LOOK_EVERY))) continue;
    for (const piece of PIECES) {
      const next = interpolatePose(head, end, Math.min(1, piece / distance));
      yield { positions: legAngles(next, 0), velocities: STILL };
    }
  }
}

/** The legs standing at these angles. */
export function standingPlatform(positions: readonly number[], guess = IDENTITY): Platform {
  const motion = { positions, velocities: STILL };
  const head = securedPose(motion, guess, 0);
  return { motion, head: head ?? guess, secure: head !== undefined };
}

/**
 * One tick towards an aim inside the workspace. Not every set of six angles can be joined, and some straight ways
 * between two good poses lead over bad ones: the best way that is clear is taken. And a step is made only if the legs
 * could brake from it without leaving the workspace; else a gentler one; else they brake, on a path that the step
 * before has secured. Hence legs that are secure once stay inside, whatever they are asked for.
 *
 * Legs that start outside (moved by hand, or settled beyond a limit) go straight to the neutral head until they are
 * secure.
 */
export function stepPlatform(platform: Platform, aim: PlatformAim, dt: number): Platform {
  const { motion, head, secure } = platform;
  if (!secure) return recover(motion, head, dt);
  const moving = motion.velocities.some((velocity) => velocity !== 0);
  for (const way of ways(platform, aim)) {
    for (const rates of [LEGS, GENTLY]) {
      const next = approach(motion, way, rates, dt);
      const pose = securedPose(next, head, dt);
      if (pose !== undefined) return { motion: next, head: pose, secure };
    }
    if (moving) break;
  }
  const braked = brake(motion, LEGS, dt);
  const positions = intoRange(braked.positions);
  const held = forwardKinematics(positions as unknown as SixLegs, 0, head);
  return { motion: { ...braked, positions }, head: held ?? head, secure };
}

function recover(motion: Motion, guess: Pose, dt: number): Platform {
  const next = approach(motion, { positions: NEUTRAL, velocities: STILL }, CALMLY, dt);
  const head = securedPose(next, guess, dt);
  return { motion: next, head: head ?? guess, secure: head !== undefined };
}
