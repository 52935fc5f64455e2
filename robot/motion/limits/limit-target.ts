import type { Pose } from "../../description/frames.ts";
import { JOINTS, type Joint } from "../../description/joints.ts";
import { BODY_FOLLOW_THRESHOLD, MAX_BODY_YAW, MAX_HEAD_BODY_YAW } from "../../description/limits.ts";
import { inverseKinematics } from "../../kinematics/inverse.ts";
import { nearestReachable } from "../../kinematics/nearest.ts";
import { poseDistance, rotatedByYaw, rpyOf } from "../../kinematics/pose.ts";
import type { Clip } from "./clip.ts";
import { type MotionTarget, parseTarget } from "./motion-target.ts";
import { approach, brake, stoppingPositions } from "./rate-limits.ts";
import { initialPlatform, stepPlatform } from "./workspace-check.ts";

/** What `limitTarget` last sent to the servos. Lists of nine are in the order of `JOINT_NAMES`. */
export interface LimiterState {
  /** Radians. These angles, and no others, go to the servos. */
  readonly joints: readonly number[];
  /** rad/s. */
  readonly velocities: readonly number[];
  /** Where the joints are going, radians. */
  readonly aims: readonly number[];
  /** The head pose that `joints` hold, world frame, relative to the neutral head. */
  readonly head: Pose;
  /** False while the legs are outside the workspace and are being led back into it. */
  readonly insideWorkspace: boolean;
}

interface LimitedTarget {
  readonly state: LimiterState;
  /** What differs from the request, and why; empty when the robot goes exactly where it was requested to. */
  readonly clipped: readonly Clip[];
}

/** Seconds of motion that one tick makes at most: after a late tick the robot lags instead of jumping. */
const MAX_TICK = 0.02;
/** Radians that a joint may be behind its aim without being reported as too slow. */
const LAG_TOLERANCE = 1e-6;

const [YAW, , , , , , , RIGHT, LEFT] = JOINTS;
const clamp = (value: number, lower: number, upper: number) => Math.min(upper, Math.max(lower, value));
const clampToRange = (joint: Joint, angle: number) => clamp(angle, joint.range[0], joint.range[1]);

/** The state of a robot that stands still with these nine measured angles. Angles beyond a joint's range count as its limit. */
export function initialState(measured: readonly number[]): LimiterState {
  const joints = JOINTS.map((joint, index) => clampToRange(joint, measured[index] as number));
  const { head, insideWorkspace } = initialPlatform(joints.slice(1, 7));
  const velocities = joints.map(() => 0);
  return { joints, velocities, aims: joints, head: rotatedByYaw(head, joints[0] as number), insideWorkspace };
}

/**
 * Turns a requested target into the angles to send to the servos `dt` after the last ones. Every target of the control
 * loop passes through here. The result has:
 * - angles within the joints' ranges,
 * - a head pose that the platform can hold: the requested one, or the nearest to it that is reachable,
 * - changes within every joint's velocity and acceleration.
 *
 * No sequence of calls leaves these limits, because the robot can brake to a standstill inside them from every state
 * that this returns. The acceleration limit is exact for ticks of equal length.
 *
 * A robot that starts outside the workspace (`insideWorkspace` is false) goes to the neutral head first, within ranges
 * and rates.
 * @param dt seconds since the last call; more than 20 ms count as 20 ms
 * @throws WorkbenchError `target-refused` when a number is not finite or the head is not a rigid transform
 */
export function limitTarget(target: MotionTarget, state: LimiterState, dt: number): LimitedTarget {
  const { head, antennas, bodyYaw } = parseTarget(target);
  const tick = Math.min(dt, MAX_TICK);
  const clipped: Clip[] = [];
  if (!(tick > 0)) return { state, clipped };

  const yields = target.automaticBodyYaw && target.bodyYawYields === true;
  const requestedYaw =
    bodyYaw === null
      ? automaticYaw(head, state, target.automaticBodyYaw)
      : yields
        ? followHead(head, bodyYaw, MAX_HEAD_BODY_YAW)
        : bodyYaw;
  const yaw = stepJoint(YAW, 0, requestedYaw, state, tick, clipped);
  const right = stepJoint(RIGHT, 7, antennas[0], state, tick, clipped);
  const left = stepJoint(LEFT, 8, antennas[1], state, tick, clipped);

  const goal = nearestReachable(head, yaw.aim);
  if (goal.head !== head) clipped.push({ reason: "reach", ...reachClip(head, yaw.aim, goal.head) });
  // The head keeps its place in the world while the body still turns towards its aim.
  const reached = yaw.position === yaw.aim ? goal : nearestReachable(head, yaw.position);
  // A pose counts as reachable when a leg is beyond its range by rounding alone.
  const aims = reached.stewart.map((angle, leg) => clampToRange(JOINTS[leg + 1] as Joint, angle));
  const platform = stepPlatform(
    {
      motion: { positions: state.joints.slice(1, 7), velocities: state.velocities.slice(1, 7) },
      head: rotatedByYaw(state.head, -(state.joints[0] as number)),
      insideWorkspace: state.insideWorkspace,
    },
    {
      positions: aims,
      velocities: aims.map((aim, leg) => (aim - (state.aims[leg + 1] as number)) / tick),
      head: rotatedByYaw(reached.head, -yaw.position),
    },
    tick,
  );
  if (!state.insideWorkspace) clipped.push({ reason: "recovery" });

  const joints = [yaw.position, ...platform.motion.positions, right.position, left.position].map((angle, index) =>
    clampToRange(JOINTS[index] as Joint, angle),
  );
  const allAims = [yaw.aim, ...aims, right.aim, left.aim];
  addRateClips(joints, allAims, clipped);
  return {
    clipped,
    state: {
      joints,
      velocities: [yaw.velocity, ...platform.motion.velocities, right.velocity, left.velocity],
      aims: allAims,
      head: rotatedByYaw(platform.head, yaw.position),
      insideWorkspace: platform.insideWorkspace,
    },
  };
}

/** The body keeps its yaw until the head turns more than `BODY_FOLLOW_THRESHOLD` from it, then follows by the excess. */
function automaticYaw(head: Pose, state: LimiterState, enabled: boolean): number {
  const body = state.aims[0] as number;
  if (!enabled) return body;
  return followHead(head, body, BODY_FOLLOW_THRESHOLD);
}

/** The body's yaw when it turns by what the head is turned farther than `threshold` (radians) from it. */
function followHead(head: Pose, body: number, threshold: number): number {
  const aside = rpyOf(rotatedByYaw(head, -body)).yaw;
  return clamp(body + aside - clamp(aside, -threshold, threshold), -MAX_BODY_YAW, MAX_BODY_YAW);
}

function stepJoint(joint: Joint, index: number, requested: number, state: LimiterState, dt: number, clipped: Clip[]) {
  const aim = clampToRange(joint, requested);
  if (aim !== requested) clipped.push({ reason: "range", joint: joint.name, requested, limited: aim });
  const motion = { positions: [state.joints[index] as number], velocities: [state.velocities[index] as number] };
  const aimVelocity = (aim - (state.aims[index] as number)) / dt;
  const tried = approach(motion, { positions: [aim], velocities: [aimVelocity] }, [joint], dt);
  const [end] = stoppingPositions(tried, [joint], dt) as [number];
  const taken = clampToRange(joint, end) === end ? tried : brake(motion, [joint], dt);
  return { aim, position: clampToRange(joint, taken.positions[0] as number), velocity: taken.velocities[0] as number };
}

const reachClip = (requested: Pose, bodyYaw: number, limited: Pose) => ({
  problem: inverseKinematics(requested, bodyYaw),
  ...poseDistance(limited, requested),
});

/** Adds a clip for the joint of each group that is farthest behind its aim. */
function addRateClips(joints: readonly number[], aims: readonly number[], clipped: Clip[]): void {
  const behind = joints.map((angle, index) => Math.abs(angle - (aims[index] as number)));
  for (const group of [[0], [1, 2, 3, 4, 5, 6], [7], [8]]) {
    const worst = group.reduce((a, b) => ((behind[b] as number) > (behind[a] as number) ? b : a));
    if ((behind[worst] as number) > LAG_TOLERANCE)
      clipped.push({ reason: "rate", joint: (JOINTS[worst] as Joint).name, behind: behind[worst] as number });
  }
}
