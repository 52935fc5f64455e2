import type { Interpolation } from "../../wire/robot/robot-fields.ts";

/** Overshoot of `cartoon`: a tenth of the distance (R. Penner's "back" easing, in and out). */
const BACK = 1.70158 * 1.525;

/** From the elapsed part of the time to the part of the distance; all go from (0, 0) to (1, 1). */
export const TIME_SCALINGS: Readonly<Record<Interpolation, (t: number) => number>> = {
  linear: (t) => t,
  /** Starts and ends with zero velocity and acceleration (Flash and Hogan 1985). */
  minjerk: (t) => t * t * t * (10 + t * (6 * t - 15)),
  /** Constant acceleration to the middle, constant braking from there. */
  ease_in_out: (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)),
  /** Moves backwards first and overshoots at the end, by a tenth on both sides. */
  cartoon: (t) => (t < 0.5 ? swing(2 * t) / 2 : 1 - swing(2 - 2 * t) / 2),
};

const swing = (t: number) => t * t * ((BACK + 1) * t - BACK);
