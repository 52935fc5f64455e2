import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type SimulatedTime, SPEEDS, STEPS } from "../../robot/wire/scene/simulated-time.ts";
import type { Pacer, Speed } from "../link/pacer.ts";
import type { SimulatedRobot } from "../robot.ts";
import { SnapshotHistory } from "./snapshot-history.ts";

/** Simulated seconds by which a moment may be asked for beyond those that are kept: people read rounded numbers. */
const TOLERANCE = 0.1;

/**
 * Pause, slow motion, single steps and rewinding of a simulated robot: scales the time between the clock and the robot. The
 * servos answer as always, also while they are paused.
 */
export class TimeControl {
  readonly #robot: SimulatedRobot;
  readonly #pacer: Pacer | undefined;
  #history: SnapshotHistory | undefined;
  #speed: Speed;
  #isPaused = false;
  #rewinds = 0;

  /** @param pacer moves the robot's time; undefined when only its owner does */
  constructor(robot: SimulatedRobot, pacer: Pacer | undefined) {
    this.#robot = robot;
    this.#pacer = pacer;
    this.#speed = pacer?.speed ?? 1;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Factor to real time at this moment: 0 while paused. */
  get factor(): number {
    return this.#isPaused ? 0 : typeof this.#speed === "number" ? this.#speed : 1;
  }

  /** How often the robot was put back to an earlier moment. */
  get rewinds(): number {
    return this.#rewinds;
  }

  get state(): SimulatedTime {
    const speed = typeof this.#speed === "number" ? this.#speed : 1;
    return { time: this.#robot.time, paused: this.#isPaused, speed, kept: this.#history?.range ?? null };
  }

  /** Advances the robot to the present of its clock. */
  catchUp(): void {
    this.#pacer?.catchUp();
    if (!this.#isPaused) this.#history?.record();
  }

  /** Keeps the last 30 s from now on, or forgets them. */
  keep(kept: boolean): void {
    if (!kept) this.#history = undefined;
    else this.#history ??= new SnapshotHistory(this.#robot);
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#setPace(0);
    this.#history?.recordNow();
  }

  /**
   * Goes on from where the robot is. @param speed factor to real time, 0.1 to 1; default: the one before
   * @throws WorkbenchError `bad-request` for another one
   */
  resume(speed?: number): void {
    if (speed !== undefined) this.#speed = checked(speed, SPEEDS, "speed", "times real time");
    this.#history?.dropLater();
    this.#isPaused = false;
    this.#setPace(this.#speed);
  }

  /**
   * Pauses, and advances by so many simulated seconds, 0.0025 to 1.
   * @throws WorkbenchError `bad-request` for another number
   */
  step(seconds: number): void {
    checked(seconds, STEPS, "step", "s");
    this.pause();
    this.#history?.dropLater();
    this.#robot.advanceTo(this.#robot.time + seconds);
    this.#history?.record();
    this.#pacer?.synchronise();
  }

  /**
   * Pauses, and takes the robot to the last kept moment up to a simulated time in seconds; later ones stay kept until the robot goes
   * on.
   * @throws WorkbenchError `bad-request` for a time that is not kept
   */
  rewind(to: number): void {
    if (this.#history === undefined)
      throw new WorkbenchError(
        "bad-request",
        "No moment of the robot is kept yet. POST /api/simulation/history keeps the last 30 s from now on.",
      );
    const { earliest, latest: latestKept } = this.#history.range;
    const latest = this.#isPaused ? latestKept : this.#robot.time;
    if (!(to >= earliest - TOLERANCE && to <= latest + TOLERANCE)) {
      const asked = `The robot cannot be taken to ${rounded(to)} s of its time`;
      const range = `the moments from ${rounded(earliest)} to ${rounded(latest)} s are kept`;
      throw new WorkbenchError("bad-request", `${asked}: ${range}. Choose one of these.`);
    }
    this.pause();
    this.#history.rewind(to);
    this.#rewinds += 1;
    this.#pacer?.synchronise();
  }

  #setPace(speed: Speed): void {
    if (this.#pacer === undefined) return;
    this.#pacer.catchUp();
    this.#pacer.speed = speed;
  }
}

function checked(value: number, { min, max }: { min: number; max: number }, what: string, unit: string): number {
  if (value >= min && value <= max) return value;
  throw new WorkbenchError("bad-request", `The ${what} must be from ${min} to ${max} ${unit}, not ${value}.`);
}

const rounded = (seconds: number): string => String(Number(seconds.toFixed(2)));
