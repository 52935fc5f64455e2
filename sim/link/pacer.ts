import type { Speed } from "./messages.ts";

/** What runs in simulated seconds. */
export interface Timed {
  readonly time: number;
  advanceTo(seconds: number): void;
}

/** Real seconds that are made up for at once; what a stalled machine lost beyond them is dropped, not raced after. */
const LONGEST_CATCH_UP = 0.05;

/** Ties simulated to real time. */
export class Pacer {
  readonly #robot: Timed;
  readonly #now: () => number;
  #speed: Speed = 1;
  #last: number;
  #due: number;
  #lost = 0;

  /** @param now a monotonic clock in milliseconds */
  constructor(robot: Timed, now: () => number) {
    this.#robot = robot;
    this.#now = now;
    this.#last = now();
    this.#due = robot.time;
  }

  get speed(): Speed {
    return this.#speed;
  }

  set speed(speed: Speed) {
    this.catchUp();
    this.#speed = speed;
    this.#due = this.#robot.time;
  }

  /** Brings the robot to the present of the real clock; without a pace there is none. */
  catchUp(): void {
    const now = this.#now();
    const passed = (now - this.#last) / 1000;
    this.#last = now;
    if (this.#speed === "max") return;
    const made = Math.min(passed, LONGEST_CATCH_UP);
    this.#lost += (passed - made) * this.#speed;
    this.#due += made * this.#speed;
    this.#robot.advanceTo(this.#due);
  }

  /** Simulated seconds dropped since the last call. */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }
}
