import type { ConnectedRobot } from "../robot/connected-robot.ts";

/** Periods from one published state, and from one touch sample, to the next: 50 Hz. */
const PUBLISH_EVERY = 2;
/**
 * Periods from one read of the joints to the next, and from one repetition of the goals to the next, while nothing drives
 * the robot. Motion begins in the next period all the same.
 */
const READ_EVERY_AT_REST = 2;
const READ_EVERY_ASLEEP = 4;
const REPEAT_EVERY_AT_REST = 10;
/**
 * Periods from one tick to the next while nobody watches a robot that has been at rest for a while. A touch of an antenna
 * that its motor holds shows in several samples; one without torque stays where it was pushed to.
 */
const TICK_EVERY_IDLE = 10;
const TICK_EVERY_IDLE_ASLEEP = 20;

/** Decides how often the control loop reads, repeats goals and samples, in periods of the loop. */
export class TickRates {
  /** Periods since the start, up to the last read, the last repetition of the goals and the last sample. */
  #periods = 0;
  #lastRead = 0;
  #lastRepeat = 0;
  #lastSample = 0;

  /** Counts the periods since the last tick. */
  pass(periods: number): void {
    this.#periods += periods;
  }

  /** Whether the joints are to be read now, which counts as a read. */
  takeRead({ motors }: ConnectedRobot, isAtRest: boolean): boolean {
    const every = motors.mode === "disabled" ? READ_EVERY_ASLEEP : READ_EVERY_AT_REST;
    if (isAtRest && this.#periods - this.#lastRead < every) return false;
    this.#lastRead = this.#periods;
    return true;
  }

  /** Whether goals are to be sent now, which counts as a repetition. */
  takeRepetition(isAtRest: boolean): boolean {
    if (isAtRest && this.#periods - this.#lastRepeat < REPEAT_EVERY_AT_REST) return false;
    this.#lastRepeat = this.#periods;
    return true;
  }

  /** Periods since the last sample when one is due, which counts as a sample; 0 otherwise. */
  takeSample(): number {
    const periods = this.#periods - this.#lastSample;
    if (periods < PUBLISH_EVERY) return 0;
    this.#lastSample = this.#periods;
    return periods;
  }

  /** Periods until the next tick of a robot at rest. @param isIdle whether nobody has watched it for a while */
  untilNextAtRest(robot: ConnectedRobot | undefined, isIdle: boolean): number {
    if (!isIdle || robot?.servos.missedReads.some((missed) => missed > 0)) return PUBLISH_EVERY;
    return robot?.motors.mode === "disabled" ? TICK_EVERY_IDLE_ASLEEP : TICK_EVERY_IDLE;
  }
}
