import type { Pose } from "./frames.ts";

/** A pose of the whole robot. */
export interface RobotPose {
  /** World frame, relative to the neutral head. */
  readonly head: Pose;
  /** Right, left; radians. */
  readonly antennas: readonly [right: number, left: number];
  /** Radians. */
  readonly bodyYaw: number;
}

/** The default pose, upright. The robot takes it after waking up and after every app. */
// biome-ignore format: four rows of four
export const DEFAULT_POSE: RobotPose = {
  head: [
    1, 0, 0, 0,
    0, 1, 0, 0,
    0, 0, 1, 0,
    0, 0, 0, 1,
  ],
  antennas: [-0.1745, 0.1745],
  bodyYaw: 0,
};

/** The sleep pose: head lowered onto the body, antennas folded down, close to where they settle without torque. */
// biome-ignore format: four rows of four
export const SLEEP_POSE: RobotPose = {
  head: [
    0.911, 0.004, 0.413, -0.021,
    -0.004, 1, -0.001, 0.001,
    -0.413, -0.001, 0.911, -0.044,
    0, 0, 0, 1,
  ],
  antennas: [-3.05, 3.05],
  bodyYaw: 0,
};
