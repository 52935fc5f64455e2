import type { Pose } from "../../../../robot/description/frames.ts";
import { poseDistance } from "../../../../robot/kinematics/pose.ts";
import type { Harness } from "./harness.ts";
import type { SimulatedDevice } from "./simulated-link.ts";

/** A simulated robot that knows where its head is. */
interface RobotWithHead extends SimulatedDevice {
  readonly physics: { headPose(): Pose };
}

/** How far the simulated head is from a pose: millimetres and degrees. */
export function headError({ link }: Harness<RobotWithHead>, wanted: Pose): { mm: number; degrees: number } {
  const { metres, radians } = poseDistance(link.robot.physics.headPose(), wanted);
  return { mm: 1000 * metres, degrees: (radians * 180) / Math.PI };
}

/** How far a head may be from its target when the robot has stood there for `STANDING_MS`. */
export const AT_REST = { mm: 1, degrees: 1 } as const;

/** Milliseconds in which the daemon learns what weight and dry friction leave. */
export const STANDING_MS = 5000;
