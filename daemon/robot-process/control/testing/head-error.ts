import type { Pose } from "../../../../robot/description/frames.ts";
import { poseDistance } from "../../../../robot/kinematics/pose.ts";
import type { Harness } from "./harness.ts";

/** How far the simulated head is from a pose: millimetres and degrees. */
export function headError({ link }: Harness, wanted: Pose): { mm: number; degrees: number } {
  const { metres, radians } = poseDistance(link.robot.physics.headPose(), wanted);
  return { mm: 1000 * metres, degrees: (radians * 180) / Math.PI };
}

/**
 * How far a head at rest may be from its target. The daemon makes up for gravity; dry friction of the gears keeps each leg
 * up to 1 degree off its goal (15.6 mN m by 1 N m/rad), and the legs' little leverage about the vertical makes up to 4 of it.
 */
export const AT_REST = { mm: 2, degrees: 4.5 } as const;
