import type { Pose } from "./frames.ts";

/** A posture of the whole robot. */
export interface Posture {
  /** World frame, relative to the neutral head. */
  readonly head: Pose;
  /** Right, left; radians. */
  readonly antennas: readonly [right: number, left: number];
  /** Radians. */
  readonly bodyYaw: number;
}

/** Awake and at ease: the default, where every move out of nowhere ends. */
// biome-ignore format: four rows of four
export const INIT: Posture = {
  head: [
    1, 0, 0, 0,
    0, 1, 0, 0,
    0, 0, 1, 0,
    0, 0, 0, 1,
  ],
  antennas: [-0.1745, 0.1745],
  bodyYaw: 0,
};

/** Head sunk onto the body, antennas folded down: near where everything settles without torque. */
// biome-ignore format: four rows of four
export const SLEEP: Posture = {
  head: [
    0.911, 0.004, 0.413, -0.021,
    -0.004, 1, -0.001, 0.001,
    -0.413, -0.001, 0.911, -0.044,
    0, 0, 0, 1,
  ],
  antennas: [-3.05, 3.05],
  bodyYaw: 0,
};
