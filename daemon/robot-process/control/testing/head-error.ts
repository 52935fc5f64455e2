import type { Pose } from "../../../../robot/description/frames.ts";
import { poseDistance } from "../../../../robot/kinematics/pose.ts";
import type { Harness } from "./harness.ts";

/** How far the simulated head is from a pose: millimetres and degrees. */
export function headError({ link }: Harness, wanted: Pose): { mm: number; degrees: number } {
  const { metres, radians } = poseDistance(link.robot.physics.headPose(), wanted);
  return { mm: 1000 * metres, degrees: (radians * 180) / Math.PI };
}
