import { JOINTS } from "../../../robot/description/joints.ts";
import { TICKS_PER_TURN, unitsToAmperes, unitsToRadiansPerSecond } from "../../../robot/servo/registers/units.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Sample } from "../hardware/servos.ts";

/** C */
export const MOST_HEAT = 60;
/** Radians off the goal, rad/s, and A for so many samples. */
const MOST_ERROR = 0.6;
const MOST_SPEED = 9;
const MOST_CURRENT = 1.1;
const HEAVY_SAMPLES = 100;
/** Samples in which a joint has to turn by some ticks when its goal does. */
const TURNING_SAMPLES = 250;
const MOVING_GOAL = 150;
const STILL_POSITION = 15;

/** The limits of a measurement that each sample is held against. */
export class LoadLimits {
  readonly #heavy = JOINTS.map(() => 0);

  /** @returns why the measurement has to stop */
  exceeded(samples: readonly Sample[]): WorkbenchError | undefined {
    for (const [joint, { goal, position, velocity, current }] of samples.entries()) {
      const amperes = Math.abs(unitsToAmperes(current));
      this.#heavy[joint] = amperes > MOST_CURRENT ? (this.#heavy[joint] ?? 0) + 1 : 0;
      const error = (Math.abs(goal - position) * 2 * Math.PI) / TICKS_PER_TURN;
      if (error > MOST_ERROR) return stopped(joint, `is ${error.toFixed(2)} rad off its goal`, `${MOST_ERROR} rad`);
      const speed = Math.abs(unitsToRadiansPerSecond(velocity));
      if (speed > MOST_SPEED) return stopped(joint, `turns with ${speed.toFixed(1)} rad/s`, `${MOST_SPEED} rad/s`);
      if ((this.#heavy[joint] ?? 0) > HEAVY_SAMPLES) {
        return stopped(joint, `has drawn ${amperes.toFixed(2)} A for a second`, `${MOST_CURRENT} A`);
      }
    }
    return undefined;
  }
}

/** A blocked joint stays where it is while its goal moves. @returns why the measurement has to stop */
export function findBlockedJoint(servos: readonly (readonly Sample[])[]): WorkbenchError | undefined {
  const range = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  for (const [joint, samples] of servos.entries()) {
    const recent = samples.slice(-TURNING_SAMPLES);
    if (recent.length < TURNING_SAMPLES) continue;
    const wanted = range(recent.map(({ goal }) => goal));
    if (wanted <= MOVING_GOAL || range(recent.map(({ position }) => position)) >= STILL_POSITION) continue;
    const what = `has not turned although its goal has moved by ${wanted} ticks`;
    return stopped(joint, what, "a joint that nothing blocks");
  }
  return undefined;
}

/** The error that stops a measurement, with the next step. */
export function stopped(joint: number, what: string, allowed: string): WorkbenchError {
  const { id, name } = JOINTS[joint] ?? JOINTS[0];
  return new WorkbenchError(
    "robot-fault",
    `The measurement was stopped: servo ${id} (${name}) ${what}; allowed: ${allowed}. Remove what holds the robot, let it cool, and measure again.`,
  );
}
