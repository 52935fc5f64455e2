/**
 * Speed of simulated time: a factor to real time; as fast as the machine can; or on demand: that of the clock, without timers, so
 * that the robot is as old as the clock says whenever something is sent to it.
 */
export type Speed = number | "max" | "on-demand";

/** Something with a simulated time in seconds. */
interface Steppable {
  readonly time: number;
  /** Whether it can pass any time quickly. */
  readonly isAtRest?: boolean;
  advanceTo(seconds: number): void;
}

/**
 * Real seconds that one call simulates at most, of a robot that moves and of one at rest; time beyond it, lost on a stalled
 * machine, is skipped. A second of rest costs 2 to 4 ms, in which this thread does nothing else.
 */
const MAX_CATCH_UP = 0.05;
const MAX_REST_CATCH_UP = 10;

/** Keeps simulated time in step with real time. */
export class Pacer {
  readonly #robot: Steppable;
  readonly #now: () => number;
  /** A change counts from the last `catchUp` on. */
  speed: Speed;
  #last: number;
  #due: number;
  #lost = 0;

  /**
   * @param now a monotonic clock in milliseconds
   */
  constructor(robot: Steppable, now: () => number, speed: Speed) {
    this.#robot = robot;
    this.#now = now;
    this.speed = speed;
    this.#last = now();
    this.#due = robot.time;
  }

  /** Advances the robot to the current real time; does nothing at the speed "max". */
  catchUp(): void {
    const now = this.#now();
    const passed = (now - this.#last) / 1000;
    this.#last = now;
    if (this.speed === "max") return;
    const [factor, limit] =
      this.speed === "on-demand"
        ? [1, Number.POSITIVE_INFINITY]
        : [this.speed, this.#robot.isAtRest ? MAX_REST_CATCH_UP : MAX_CATCH_UP];
    const simulated = Math.min(passed, limit);
    this.#lost += (passed - simulated) * factor;
    this.#due += simulated * factor;
    this.#robot.advanceTo(this.#due);
  }

  /** Continues from the robot's own time: something else has changed it. */
  synchronise(): void {
    this.#last = this.#now();
    this.#due = this.#robot.time;
  }

  /** Simulated seconds skipped since the last call. */
  takeLostSeconds(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }
}
