import type { Pose, SixLegs } from "../../robot/description/frames.ts";
import { forwardKinematics } from "../../robot/kinematics/forward.ts";
import { platformCondition } from "../../robot/kinematics/jacobian.ts";
import { turned } from "../../robot/kinematics/pose.ts";
import type { Posture } from "./posture.ts";

/** Metres; the strongest motion that the motors can make opens the ball joints by a fifth of this. */
const BROKEN_GAP = 0.004;

/**
 * Whether the platform is still put together as it was built. Too strong a push turns it inside out: every rod still
 * has its length, but the legs hold the head the wrong way round, from where no motor gets it back. That shows in the
 * sign of the determinant that relates the head's motion to the rods'.
 */
export function isAssembled({ joints, head }: Posture, gap: number): boolean {
  return gap < BROKEN_GAP && platformCondition(turned(head, -bodyYaw(joints)), legs(joints)) > 0;
}

/** The posture nearest to a broken one in which the robot is put together: its joints where that works, or `lastGood`. */
export function reassembled(joints: readonly number[], lastGood: Posture): Posture {
  const head = joints.every(Number.isFinite) ? headHeldBy(joints, lastGood.head) : undefined;
  return head === undefined ? lastGood : { joints, head };
}

/** The head pose that the joints hold, searched from a pose nearby; undefined when the rods cannot be joined. */
export function headHeldBy(joints: readonly number[], near?: Pose): Pose | undefined {
  return forwardKinematics(legs(joints), bodyYaw(joints), near);
}

const bodyYaw = (joints: readonly number[]): number => joints[0] ?? 0;
const legs = (joints: readonly number[]): SixLegs => joints.slice(1, 7) as unknown as SixLegs;
