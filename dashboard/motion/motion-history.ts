import { DEGREE } from "../../common/degree.ts";
import type { Pose } from "../../robot/description/frames.ts";
import { rpyOf } from "../../robot/kinematics/pose.ts";
import type { MotionSample } from "../../ui/motion/motion.ts";

/** Seconds of motion that the page keeps. */
export const WINDOW = 20;

/** Degrees that a servo's noise may move a curve without it counting as motion. */
const NOISE = 0.2;

/** The curves of the charts, in degrees. */
const SERIES = ["roll", "pitch", "yaw", "bodyYaw", "rightAntenna", "leftAntenna"] as const;
export type Series = (typeof SERIES)[number];

/** The last seconds of motion as columns for a chart: seconds before the latest sample (0 or less) and degrees. */
export class MotionHistory {
  readonly #times: number[] = [];
  readonly #columns = Object.fromEntries(SERIES.map((name) => [name, [] as number[]])) as Record<Series, number[]>;
  /** The value of each curve when it last moved, and the time of the last motion. */
  #lastMoved: Partial<Record<Series, number>> = {};
  #lastMotion = Number.NEGATIVE_INFINITY;

  push(state: MotionSample): void {
    const last = this.#times.at(-1);
    // A change of the phase alone repeats the last measurement.
    if (state.timestamp === last) return;
    if (last !== undefined && state.timestamp < last) this.clear();
    const { roll, pitch, yaw } = rpyOf(state.headPose as Pose);
    const [right = 0, left = 0] = state.antennas;
    const row = { roll, pitch, yaw, bodyYaw: state.headJoints[0] ?? 0, rightAntenna: right, leftAntenna: left };
    this.#times.push(state.timestamp);
    for (const name of SERIES) {
      const value = row[name] / DEGREE;
      this.#columns[name].push(value);
      if (Math.abs(value - (this.#lastMoved[name] ?? Number.POSITIVE_INFINITY)) <= NOISE) continue;
      this.#lastMoved[name] = value;
      this.#lastMotion = state.timestamp;
    }
    while ((this.#times[0] ?? 0) < state.timestamp - WINDOW) {
      this.#times.shift();
      for (const name of SERIES) this.#columns[name].shift();
    }
  }

  clear(): void {
    this.#lastMoved = {};
    this.#lastMotion = Number.NEGATIVE_INFINITY;
    this.#times.length = 0;
    for (const name of SERIES) this.#columns[name].length = 0;
  }

  /**
   * The time of the last motion when every curve has been flat since for the whole window; null while one has not. Two
   * drawings at which this is the same time look the same.
   */
  get stillSince(): number | null {
    return (this.#times[0] ?? 0) > this.#lastMotion ? this.#lastMotion : null;
  }

  /** Times first, then one column for each name. */
  columns(names: readonly Series[]): number[][] {
    const latest = this.#times.at(-1) ?? 0;
    return [this.#times.map((time) => time - latest), ...names.map((name) => [...this.#columns[name]])];
  }

  latest(name: Series): number | undefined {
    return this.#columns[name].at(-1);
  }
}
