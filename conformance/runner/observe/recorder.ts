import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import type { LogLine, TestRun, TestRunEvent } from "../../verdict/verdict.ts";

/** Log lines of one test run in the verdict; the rest is counted only. */
const MAX_LINES = 2000;

/** Builds the record of one test run for the verdict: events, log, motion. Times that come in are milliseconds since the Unix epoch. */
export class Recorder {
  readonly #startedAt: number;
  readonly #events: TestRunEvent[] = [];
  readonly #log: LogLine[] = [];
  readonly #motion = { t: [] as number[], measured: [] as number[][], sent: [] as (number[] | null)[] };
  #droppedLines = 0;

  /** @param startedAt milliseconds since the Unix epoch */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Seconds from the start of the test run. */
  secondsAt(time: number): number {
    return Math.round(Math.max(0, time - this.#startedAt)) / 1000;
  }

  slot(time: number, { state, error }: AppStatus): void {
    const level = state === "error" ? "error" : "info";
    this.#add({ t: this.secondsAt(time), kind: "slot", state, level, text: error ?? state });
  }

  action(time: number, text: string): void {
    this.#add({ t: this.secondsAt(time), kind: "action", state: null, level: "info", text });
  }

  robot(time: number, { level, message }: Pick<RobotEvent, "level" | "message">): void {
    this.#add({ t: this.secondsAt(time), kind: "robot", state: null, level, text: message });
  }

  line(time: number, stream: LogLine["stream"], text: string): void {
    if (this.#log.length >= MAX_LINES) this.#droppedLines += 1;
    else this.#log.push({ t: this.#notEarlierThanLast(this.#log, this.secondsAt(time)), stream, text });
  }

  state({ timestamp, headJoints, antennas, sent }: RobotState): void {
    const t = this.secondsAt(1000 * timestamp);
    if (t <= (this.#motion.t.at(-1) ?? -1)) return;
    this.#motion.t.push(t);
    this.#motion.measured.push(rounded([...headJoints, ...antennas]));
    this.#motion.sent.push(sent && rounded([...sent.headJoints, ...sent.antennas]));
  }

  toTestRun(id: string, title: string, endedAt: number): TestRun {
    const duration = this.secondsAt(endedAt);
    if (this.#droppedLines > 0)
      this.#log.push({ t: duration, stream: "stderr", text: `[${this.#droppedLines} more lines]` });
    return { id, title, duration, events: this.#events, log: this.#log, motion: this.#motion };
  }

  #add(event: TestRunEvent): void {
    this.#events.push({ ...event, t: this.#notEarlierThanLast(this.#events, event.t) });
  }

  /** Messages on two connections may overtake each other. */
  #notEarlierThanLast(list: readonly { t: number }[], t: number): number {
    return Math.max(t, list.at(-1)?.t ?? 0);
  }
}

const rounded = (angles: readonly number[]): number[] => angles.map((angle) => Math.round(angle * 1e4) / 1e4);
