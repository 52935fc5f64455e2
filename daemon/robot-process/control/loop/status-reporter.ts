import { Emitter } from "../../../../common/emitter.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import { Throttle } from "../../../../common/time/throttle.ts";
import { type Clip, describeClip } from "../../../../robot/motion/limits/clip.ts";
import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import type { RobotPhase } from "../../../../robot/wire/robot/robot-fields.ts";
import type { MoveKind, RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import { unknownState } from "../../../robot-client/unknown-state.ts";

/** What the control loop adds to the state; the rest stays as it was. */
export type StateSnapshot = Omit<Partial<RobotState>, "timestamp" | "phase" | "error">;

/** Phase, state and events of the robot, as they are reported to the rest of the daemon. */
export class StatusReporter {
  state: RobotState;
  readonly states = new Emitter<RobotState>();
  readonly events = new Emitter<RobotEvent>();
  readonly #throttle: Throttle;
  readonly #clock: Clock;
  readonly #snapshot: () => StateSnapshot;
  #phase: RobotPhase = "not_initialized";
  #error: string | null = null;
  #note: string | null = null;

  constructor(clock: Clock, snapshot: () => StateSnapshot) {
    this.#clock = clock;
    this.#snapshot = snapshot;
    this.#throttle = new Throttle(clock);
    this.state = unknownState(clock.unixTime() / 1000);
  }

  get phase(): RobotPhase {
    return this.#phase;
  }

  /** What is wrong, as a sentence; null when nothing is. */
  get error(): string | null {
    return this.#error;
  }

  /** Sets a sentence that is added to every error: what happens once the robot is connected again. */
  setNote(note: string | null): void {
    this.#note = note;
    this.publish();
  }

  setPhase(phase: RobotPhase, error: string | null = null): void {
    if (phase === this.#phase && error === this.#error) return;
    this.#phase = phase;
    this.#error = error;
    const level = error === null ? "info" : "error";
    this.emit("phase", level, this.#errorWithNote() ?? `The robot is ${phase}.`, { phase });
  }

  /** Reports an event; the state that belongs to it is published first. */
  emit(kind: RobotEvent["kind"], level: RobotEvent["level"], message: string, data: RobotEvent["data"] = {}): void {
    this.publish();
    this.events.emit({ kind, level, message, data });
  }

  /** Reports an event of this kind and with this data at most once a second, with the number of those that were left out. */
  emitThrottled(
    kind: RobotEvent["kind"],
    level: RobotEvent["level"],
    message: string,
    data: RobotEvent["data"] = {},
  ): void {
    const key = `${kind} ${JSON.stringify(data)}`;
    this.#throttle.run(key, (suppressed) => this.emit(kind, level, message, { ...data, suppressed }));
  }

  /** Reports a target that the robot cannot follow. @param move the kind of the move that runs; null for a target */
  reportClip(clip: Clip, move: MoveKind | null): void {
    this.emitThrottled("target_clipped", "warning", describeClip(clip), { reason: clip.reason, move });
  }

  publish(): void {
    const timestamp = this.#clock.unixTime() / 1000;
    this.state = { ...this.state, ...this.#snapshot(), timestamp, phase: this.#phase, error: this.#errorWithNote() };
    this.states.emit(this.state);
  }

  #errorWithNote(): string | null {
    return this.#error === null || this.#note === null ? this.#error : `${this.#error} ${this.#note}`;
  }
}
