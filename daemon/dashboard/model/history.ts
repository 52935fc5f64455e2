import type { Pose } from "../../../robot/description/frames.ts";
import { rpyOf } from "../../../robot/kinematics/pose.ts";

/** Seconds of motion that the page keeps. */
export const WINDOW = 20;

/** Degrees that a servo's noise may move a line without it counting as motion. */
const NOISE = 0.2;

/** The lines of the charts, in degrees. */
export const SERIES = ["roll", "pitch", "yaw", "bodyYaw", "rightAntenna", "leftAntenna"] as const;
export type Series = (typeof SERIES)[number];

interface Moment {
  timestamp: number;
  headPose: readonly number[];
  headJoints: readonly number[];
  antennas: readonly number[];
}

const DEGREES = 180 / Math.PI;

/** The last seconds of motion as columns for a chart: times relative to the latest (0, going back) and degrees. */
export class History {
  readonly #times: number[] = [];
  /** Where each line was when it last moved, and when that was. */
  readonly #rest: Partial<Record<Series, number>> = {};
  #moved = Number.NEGATIVE_INFINITY;
  readonly #columns = Object.fromEntries(SERIES.map((name) => [name, [] as number[]])) as Record<Series, number[]>;

  push(state: Moment): void {
    const last = this.#times.at(-1);
    if (last !== undefined && state.timestamp <= last) this.clear();
    const { roll, pitch, yaw } = rpyOf(state.headPose as Pose);
    const [right = 0, left = 0] = state.antennas;
    const row = { roll, pitch, yaw, bodyYaw: state.headJoints[0] ?? 0, rightAntenna: right, leftAntenna: left };
    this.#times.push(state.timestamp);
    for (const name of SERIES) {
      const value = row[name] * DEGREES;
      this.#columns[name].push(value);
      if (Math.abs(value - (this.#rest[name] ?? Number.POSITIVE_INFINITY)) <= NOISE) continue;
      this.#rest[name] = value;
      this.#moved = state.timestamp;
    }
    while ((this.#times[0] ?? 0) < state.timestamp - WINDOW) {
      this.#times.shift();
      for (const name of SERIES) this.#columns[name].shift();
    }
  }

  clear(): void {
    this.#moved = Number.NEGATIVE_INFINITY;
    this.#times.length = 0;
    for (const name of SERIES) this.#columns[name].length = 0;
  }

  /** Whether every line has been flat all the time: drawing it again would show the same. */
  get still(): boolean {
    return (this.#times[0] ?? 0) > this.#moved;
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
