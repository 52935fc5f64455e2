import { HISTORY_SECONDS } from "../../robot/wire/scene/simulated-time.ts";
import type { RobotSnapshot } from "../robot.ts";

/** Simulated seconds from one snapshot to the next: 300 snapshots of 45 kB. */
const INTERVAL = 0.1;
/** Snapshots at most: a client that pauses again and again costs no more memory. */
const MAX_KEPT = 400;
/** Simulated seconds by which a time may be rounded. */
const ROUNDING = 0.005;
/** Simulated seconds that count as none: times are multiples of the engine's step. */
const EPSILON = 1e-6;

/** What the history records. */
interface RecordedRobot {
  /** Simulated seconds. */
  readonly time: number;
  snapshot(): RobotSnapshot;
  rewind(snapshot: RobotSnapshot): void;
}

/** The snapshots of the last 30 s of a simulated robot, one each 0.1 s. */
export class SnapshotHistory {
  readonly #robot: RecordedRobot;
  readonly #kept: { readonly time: number; readonly snapshot: RobotSnapshot }[] = [];

  /** Begins with the robot as it is. */
  constructor(robot: RecordedRobot) {
    this.#robot = robot;
    this.recordNow();
  }

  /** The first and the last moment that is kept, simulated seconds. */
  get range(): { earliest: number; latest: number } {
    const { time } = this.#robot;
    return { earliest: this.#kept[0]?.time ?? time, latest: this.#kept.at(-1)?.time ?? time };
  }

  /** Call after each advance. */
  record(): void {
    if (this.#robot.time >= this.range.latest + INTERVAL - EPSILON) this.recordNow();
  }

  /** Keeps the robot as it is now. */
  recordNow(): void {
    const { time } = this.#robot;
    if (this.range.latest >= time - EPSILON) this.#kept.pop();
    this.#kept.push({ time, snapshot: this.#robot.snapshot() });
    while (this.#kept.length > MAX_KEPT || this.range.earliest < time - HISTORY_SECONDS - EPSILON) this.#kept.shift();
  }

  /** Call when the robot goes on from an earlier moment: what came after it is dropped. */
  dropLater(): void {
    const { time } = this.#robot;
    while (this.range.latest > time + EPSILON) this.#kept.pop();
  }

  /** Takes the robot to the last moment up to a simulated time in seconds, or to the first one. */
  rewind(to: number): void {
    const found = this.#kept.findLast((entry) => entry.time <= to + ROUNDING) ?? this.#kept[0];
    if (found !== undefined) this.#robot.rewind(found.snapshot);
  }
}
