import type { RobotEvent, RobotState } from "../../daemon/control/robot.ts";
import type { AppStatus } from "../../robot/wire/apps.ts";
import type { LogLine, Motion, Scene, SceneEvent } from "../verdict/verdict.ts";

/** More lines than a person reads; a flood must not fill the report. */
const MAX_LINES = 2000;

/** Keeps what is worth showing of one scene. Times that come in are milliseconds since the Unix epoch. */
export class Recorder {
  readonly #startedAt: number;
  readonly #events: SceneEvent[] = [];
  readonly #log: LogLine[] = [];
  readonly #motion = { t: [] as number[], measured: [] as number[][], sent: [] as (number[] | null)[] };
  #linesLeftOut = 0;

  /** @param startedAt milliseconds since the Unix epoch */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Seconds from the scene's start. */
  at(time: number): number {
    return Math.round(Math.max(0, time - this.#startedAt)) / 1000;
  }

  slot(time: number, { state, error }: AppStatus): void {
    const level = state === "error" ? "error" : "info";
    this.#add({ t: this.at(time), kind: "slot", state, level, text: error ?? state });
  }

  action(time: number, text: string): void {
    this.#add({ t: this.at(time), kind: "action", state: null, level: "info", text });
  }

  robot(time: number, { level, message }: RobotEvent): void {
    this.#add({ t: this.at(time), kind: "robot", state: null, level, text: message });
  }

  line(time: number, stream: LogLine["stream"], text: string): void {
    if (this.#log.length >= MAX_LINES) this.#linesLeftOut += 1;
    else this.#log.push({ t: this.#notBefore(this.#log, this.at(time)), stream, text });
  }

  state({ timestamp, headJoints, antennas, sent }: RobotState): void {
    const t = this.at(1000 * timestamp);
    if (t <= (this.#motion.t.at(-1) ?? -1)) return;
    this.#motion.t.push(t);
    this.#motion.measured.push(rounded([...headJoints, ...antennas]));
    this.#motion.sent.push(sent && rounded([...sent.headJoints, ...sent.antennas]));
  }

  /** Where the robot was so far. */
  get motion(): Motion {
    return this.#motion;
  }

  scene(id: string, title: string, endedAt: number): Scene {
    const duration = this.at(endedAt);
    if (this.#linesLeftOut > 0)
      this.#log.push({ t: duration, stream: "stderr", text: `[${this.#linesLeftOut} more lines]` });
    return { id, title, duration, events: this.#events, log: this.#log, motion: this.#motion };
  }

  #add(event: SceneEvent): void {
    this.#events.push({ ...event, t: this.#notBefore(this.#events, event.t) });
  }

  /** Messages on two connections may overtake each other. */
  #notBefore(list: readonly { t: number }[], t: number): number {
    return Math.max(t, list.at(-1)?.t ?? 0);
  }
}

const rounded = (angles: readonly number[]): number[] => angles.map((angle) => Math.round(angle * 1e4) / 1e4);
