import { IDENTITY } from "../../../../robot/kinematics/pose.ts";
import { type Frame, frameOfJoints } from "../../../../sim/viewer/index.ts";
import type { Angles } from "./scene.ts";

/**
 * Turns joint angles into what the view draws. Every head is looked for from the neutral one, so that a moment looks
 * the same from wherever one comes to it. Undefined when the rods cannot be joined.
 */
export function frameAt(angles: Angles): Frame | undefined {
  return frameOfJoints({ headJoints: angles.slice(0, 7), antennas: angles.slice(7) }, IDENTITY);
}
