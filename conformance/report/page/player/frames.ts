import { IDENTITY } from "../../../../robot/kinematics/pose.ts";
import { type Frame, frameOfJoints } from "../../../../ui/viewer/index.ts";
import type { Angles } from "./recording.ts";

/**
 * Turns nine joint angles into a frame. The search for the head always starts at its neutral pose, so that a time looks
 * the same from whichever side it is reached. Undefined when no head pose fits the joints.
 */
export function frameOfAngles(angles: Angles): Frame | undefined {
  return frameOfJoints({ headJoints: angles.slice(0, 7), antennas: angles.slice(7) }, IDENTITY);
}
