import type { Pose } from "../description/frames.ts";
import { JOINTS, type Joint } from "../description/joints.ts";
import { BODY_FOLLOWS_FROM, MAX_BODY_YAW } from "../description/limits.ts";
import { inverseKinematics } from "../kinematics/inverse.ts";
import { nearestReachable } from "../kinematics/nearest.ts";
import { poseDistance, rpyOf, turned } from "../kinematics/pose.ts";
import type { Clip } from "./clip.ts";
import { standingPlatform, stepPlatform } from "./platform-guard.ts";
import { type Request, soundRequest } from "./request.ts";
import { approach, brake, stop } from "./tracking.ts";

/** What the gate last sent. Lists of nine are in the order of `JOINT_NAMES`. */
export interface GateState {
  /** Radians: the only thing that may go to the servos. */
  readonly joints: readonly number[];
  /** rad/s. */
  readonly velocities: readonly number[];
  /** Where the joints are on their way to, radians. */
  readonly aims: readonly number[];
  /** The head pose that `joints` hold, world frame, relative to the neutral head. */
  readonly head: Pose;
  /** False while the legs stand where no reachable pose is and are being led out. */
  readonly secure: boolean;
}

export interface Limited {
  readonly state: GateState;
  /** What was not done as asked, and why; empty when the robot goes exactly where it was asked to. */
  readonly clipped: readonly Clip[];
}

/** A late tick moves the robot no farther than this many seconds' worth: it lags, it never jumps. */
const LONGEST_TICK = 0.02;
/** Radians behind its aim from which a joint counts as held up by its rates. */
const BEHIND = 1e-6;

const [YAW, , , , , , , RIGHT, LEFT] = JOINTS;
const clamp = (value: number, lower: number, upper: number) => Math.min(upper, Math.max(lower, value));
const intoRange = (joint: Joint, angle: number) => clamp(angle, joint.range[0], joint.range[1]);

/** The state of a robot that stands at these nine measured angles; ones beyond a joint's range are moved to its end. */
export function standing(measured: readonly number[]): GateState {
  const joints = JOINTS.map((joint, index) => intoRange(joint, measured[index] as number));
  const { head, secure } = standingPlatform(joints.slice(1, 7));
  const velocities = joints.map(() => 0);
  return { joints, velocities, aims: joints, head: turned(head, joints[0] as number), secure };
}

/**
 * The only way to the servos. Takes what was asked for and what was sent last, and gives what to send `dt` later:
 * angles within the joints' ranges, a head that the platform can hold (its nearest pose when it was asked for one that
 * it cannot), and changes within every joint's velocity and acceleration. No sequence of calls leaves these limits,
 * for from every state the robot could brake to standstill inside them (the acceleration limit is exact for ticks of
 * equal length).
 *
 * Only a state from `standing` that is not `secure` (the robot was found outside the workspace) is led straight to the
 * neutral head first, within ranges and rates.
 * @param dt seconds since the last call; more than 20 ms count as 20 ms
 * @throws WorkbenchError `target-refused` when a number is not finite or the head is no rigid transform
 */
export function limitTarget(request: Request, state: GateState, dt: number): Limited {
  const { head, antennas, bodyYaw } = soundRequest(request);
  const tick = Math.min(dt, LONGEST_TICK);
  const clipped: Clip[] = [];
  if (!(tick > 0)) return { state, clipped };

  const askedYaw = bodyYaw ?? automaticYaw(head, state, request.automaticBodyYaw);
  const yaw = stepJoint(YAW, 0, askedYaw, state, tick, clipped);
  const right = stepJoint(RIGHT, 7, antennas[0], state, tick, clipped);
  const left = stepJoint(LEFT, 8, antennas[1], state, tick, clipped);

  const goal = nearestReachable(head, yaw.aim);
  if (goal.head !== head) clipped.push({ reason: "reach", ...reachOf(head, yaw.aim, goal.head) });
  // The head keeps its place in the world while the body still turns towards its aim.
  const reached = yaw.position === yaw.aim ? goal : nearestReachable(head, yaw.position);
  const aims = reached.stewart;
  const platform = stepPlatform(
    {
      motion: { positions: state.joints.slice(1, 7), velocities: state.velocities.slice(1, 7) },
      head: turned(state.head, -(state.joints[0] as number)),
      secure: state.secure,
    },
    {
      positions: aims,
      velocities: aims.map((aim, leg) => (aim - (state.aims[leg + 1] as number)) / tick),
      head: turned(reached.head, -yaw.position),
    },
    tick,
  );
  if (!state.secure) clipped.push({ reason: "recovery" });

  const joints = [yaw.position, ...platform.motion.positions, right.position, left.position].map((angle, index) =>
    intoRange(JOINTS[index] as Joint, angle),
  );
  const allAims = [yaw.aim, ...aims, right.aim, left.aim];
  reportRates(joints, allAims, clipped);
  return {
    clipped,
    state: {
      joints,
      velocities: [yaw.velocity, ...platform.motion.velocities, right.velocity, left.velocity],
      aims: allAims,
      head: turned(platform.head, yaw.position),
      secure: platform.secure,
    },
  };
}

/** The body stays until the head looks farther aside than it likes to alone, then follows by the rest. */
function automaticYaw(head: Pose, state: GateState, enabled: boolean): number {
  const body = state.aims[0] as number;
  if (!enabled) return body;
  const aside = rpyOf(turned(head, -body)).yaw;
  return clamp(body + aside - clamp(aside, -BODY_FOLLOWS_FROM, BODY_FOLLOWS_FROM), -MAX_BODY_YAW, MAX_BODY_YAW);
}

function stepJoint(joint: Joint, index: number, asked: number, state: GateState, dt: number, clipped: Clip[]) {
  const aim = intoRange(joint, asked);
  if (aim !== asked) clipped.push({ reason: "range", joint: joint.name, asked, given: aim });
  const motion = { positions: [state.joints[index] as number], velocities: [state.velocities[index] as number] };
  const aimVelocity = (aim - (state.aims[index] as number)) / dt;
  const tried = approach(motion, { positions: [aim], velocities: [aimVelocity] }, [joint], dt);
  const [end] = stop(tried, [joint], dt) as [number];
  const taken = intoRange(joint, end) === end ? tried : brake(motion, [joint], dt);
  return { aim, position: intoRange(joint, taken.positions[0] as number), velocity: taken.velocities[0] as number };
}

const reachOf = (asked: Pose, bodyYaw: number, given: Pose) => ({
  problem: inverseKinematics(asked, bodyYaw),
  ...poseDistance(given, asked),
});

/** The joint of each group that is farthest behind its aim. */
function reportRates(joints: readonly number[], aims: readonly number[], clipped: Clip[]): void {
  const behind = joints.map((angle, index) => Math.abs(angle - (aims[index] as number)));
  for (const group of [[0], [1, 2, 3, 4, 5, 6], [7], [8]]) {
    const worst = group.reduce((a, b) => ((behind[b] as number) > (behind[a] as number) ? b : a));
    if ((behind[worst] as number) > BEHIND)
      clipped.push({ reason: "rate", joint: (JOINTS[worst] as Joint).name, behind: behind[worst] as number });
  }
}
