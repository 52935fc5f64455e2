import { JOINTS } from "../../../../robot/description/joints.ts";
import { MODELS } from "../../../../robot/servo/registers/models.ts";

const JOINT_COUNT = JOINTS.length;
/** Seconds without a change of the wanted angles after which the robot stands; it still swings before. */
const SETTLING = 0.15;
/** rad/s: a joint that is faster moves. */
const STILL = 0.06;
/** Radians: an error from which a joint learns, and one with which it ends; a tick of the encoder is 0.0015. */
const WORTH_LEARNING = 0.0038;
const TOLERANCE = 0.0023;
/** Radians: a larger error is not that of weight and friction. */
const PLAUSIBLE = 0.12;
/** Radians by which an error grows only when somebody pushes, and seconds after which a push counts as weight. */
const PUSHED = 0.02;
const PUSH_COUNTS_AFTER = 5;
/** Share of the error that is learned in a second; the least and the most, radians. */
const RATE = 2.5;
const LEAST_RATE = 0.03;
const MAX_RATE = 0.08;
/** What is learned at most: N m, which is far from an overload, and radians. */
const MAX_TORQUE = 0.05;
const MAX_LEARNED = 0.15;
/** N m: a joint that does not turn although the learned torque has changed by this is blocked. Dry friction is a third of it. */
const BLOCKED_TORQUE = 0.04;
/** Changes of direction after which a joint is left as it is until the next motion: it sticks and slips. */
const MAX_REVERSALS = 5;
/** Share of the stall current from which a servo is overloaded. */
const OVERLOADED = 0.5;
/** Seconds of learning at one place: then a robot that rests is left alone. */
const LEARNING_TIME = 8;
/** Seconds in which a moving robot forgets: friction has another direction at the next place. */
const FORGET = 0.3;

/** What the servos measured, in the order of `JOINTS`: radians, rad/s, A; and what was wanted, radians. */
export interface JointReadings {
  readonly wanted: ArrayLike<number>;
  readonly position: ArrayLike<number>;
  readonly velocity: ArrayLike<number>;
  readonly current: ArrayLike<number>;
  /** Whether a joint has torque and has answered the last read. */
  readonly isHeld: (joint: number) => boolean;
}

/**
 * Learns, while the robot stands, by how much each servo's goal must lead the wanted angle so that the joint stands there:
 * what dry friction, a payload, or another firmware's stiffness leave. Slow and bounded. It does not learn while a joint
 * moves, is pushed, overloaded, blocked or without torque.
 */
export class StandingError {
  /** Radians by which the goals lead, in the order of `JOINTS`. */
  readonly learned = new Float64Array(JOINT_COUNT);
  readonly #stiffness: readonly number[];
  readonly #wanted = new Float64Array(JOINT_COUNT).fill(Number.NaN);
  /** Of the present standing, by joint: smallest error so far, changes of direction, and when the joint turned last. */
  readonly #least = new Float64Array(JOINT_COUNT);
  readonly #reversals = new Uint8Array(JOINT_COUNT);
  readonly #direction = new Int8Array(JOINT_COUNT);
  readonly #turnedAt = new Float64Array(JOINT_COUNT);
  readonly #learnedThen = new Float64Array(JOINT_COUNT);
  #standing = 0;
  #pushed = 0;
  #learning = 0;

  /** @param stiffness N m/rad of each joint's servo */
  constructor(stiffness: readonly number[]) {
    this.#stiffness = stiffness;
  }

  /** Whether the robot has stood, untouched, long enough for what was learned to be about its weight. */
  get isTrusted(): boolean {
    return this.#standing > 3 * SETTLING && this.#pushed === 0;
  }

  /**
   * Advances by `seconds`.
   *
   * @param mayLearn asked while the robot stands: whether its weight allows it
   * @returns whether the robot stands
   */
  advance(seconds: number, readings: JointReadings, mayLearn: () => boolean): boolean {
    if (this.#wantsMotion(readings.wanted)) this.#standing = 0;
    else this.#standing += seconds;
    if (this.#standing < SETTLING) {
      this.#beginStanding();
      this.#forget(seconds);
      return false;
    }
    if (!this.#isAtEase(readings) || !mayLearn()) return true;
    if (this.#isPushed(seconds, readings)) return true;
    this.#learning += seconds;
    if (this.#learning > LEARNING_TIME) return true;
    for (let joint = 0; joint < JOINT_COUNT; joint += 1) this.#learn(joint, seconds, readings);
    return true;
  }

  /** Forgets everything: torque was off, or the robot was moved by hand. */
  reset(): void {
    this.learned.fill(0);
    this.#standing = 0;
    this.#beginStanding();
  }

  #wantsMotion(wanted: ArrayLike<number>): boolean {
    let moves = false;
    for (let joint = 0; joint < JOINT_COUNT; joint += 1) {
      const angle = wanted[joint] ?? 0;
      // Not a number, at first, differs from everything.
      if (!(Math.abs(angle - (this.#wanted[joint] ?? 0)) < 1e-4)) {
        moves = true;
        this.#wanted[joint] = angle;
      }
    }
    return moves;
  }

  #beginStanding(): void {
    this.#pushed = 0;
    this.#learning = 0;
    this.#least.fill(Number.POSITIVE_INFINITY);
    this.#reversals.fill(0);
    this.#direction.fill(0);
    this.#turnedAt.fill(Number.NaN);
  }

  #forget(seconds: number): void {
    const left = Math.exp(-seconds / FORGET);
    for (let joint = 0; joint < JOINT_COUNT; joint += 1) this.learned[joint] = (this.learned[joint] ?? 0) * left;
  }

  #isAtEase({ velocity, current, isHeld }: JointReadings): boolean {
    return JOINTS.every(({ model }, joint) => {
      const isStill = Math.abs(velocity[joint] ?? 0) <= STILL;
      const isLight = Math.abs(current[joint] ?? 0) < OVERLOADED * MODELS[model].stallCurrent;
      return isStill && isLight && isHeld(joint);
    });
  }

  /** Learning makes errors smaller only. One that grows is a push, until it has lasted. */
  #isPushed(seconds: number, readings: JointReadings): boolean {
    let isPushed = false;
    for (let joint = 0; joint < JOINT_COUNT; joint += 1) {
      const size = Math.abs(errorOf(joint, readings));
      const least = this.#least[joint] ?? 0;
      if (size > least + PUSHED) isPushed = true;
      else if (size < least) this.#least[joint] = size;
    }
    if (!isPushed) this.#pushed = 0;
    else this.#pushed += seconds;
    if (this.#pushed > PUSH_COUNTS_AFTER) this.#beginStanding();
    return isPushed;
  }

  #learn(joint: number, seconds: number, readings: JointReadings): void {
    const error = errorOf(joint, readings);
    const learned = this.learned[joint] ?? 0;
    this.#watchTurning(joint, readings.position[joint] ?? 0);
    if (Math.abs(error) > PLAUSIBLE || !this.#isWorthLearning(joint, error)) return;
    const slower = 2 ** -(this.#reversals[joint] ?? 0);
    // Not slower than this: friction holds the joint most of the way.
    const rate = Math.max(LEAST_RATE, Math.min(MAX_RATE, RATE * Math.abs(error)));
    const step = Math.sign(error) * rate * slower * seconds;
    const stiffness = this.#stiffness[joint] ?? 1;
    this.learned[joint] = clamp(learned + step, Math.min(MAX_LEARNED, MAX_TORQUE / stiffness));
    const change = Math.abs((this.learned[joint] ?? 0) - (this.#learnedThen[joint] ?? 0));
    if (change * stiffness < BLOCKED_TORQUE) return;
    this.learned[joint] = this.#learnedThen[joint] ?? 0;
    this.#reversals[joint] = MAX_REVERSALS;
  }

  /** A joint that has learned enough, or too much, is left until its error is large. */
  #isWorthLearning(joint: number, error: number): boolean {
    const direction = this.#direction[joint] ?? 0;
    const isOver = direction * error < 0;
    if (isOver) this.#reversals[joint] = (this.#reversals[joint] ?? 0) + 1;
    const least = direction === 0 || isOver ? WORTH_LEARNING : TOLERANCE;
    const isWorth = Math.abs(error) > least && (this.#reversals[joint] ?? 0) < MAX_REVERSALS;
    this.#direction[joint] = isWorth ? Math.sign(error) : 0;
    return isWorth;
  }

  #watchTurning(joint: number, position: number): void {
    if (Math.abs(position - (this.#turnedAt[joint] ?? 0)) < TOLERANCE) return;
    this.#turnedAt[joint] = position;
    this.#learnedThen[joint] = this.learned[joint] ?? 0;
  }
}

const errorOf = (joint: number, { wanted, position }: JointReadings) => (wanted[joint] ?? 0) - (position[joint] ?? 0);
const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
