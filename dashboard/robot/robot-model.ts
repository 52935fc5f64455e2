import { batch, type Signal, signal } from "@preact/signals";
import { Emitter, type Unsubscribe } from "../../common/emitter.ts";
import { JOINTS } from "../../robot/description/joints.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import { MotionHistory } from "../motion/motion-history.ts";

/** Milliseconds between two updates of the loop's figures, which change with every state. */
const FIGURES_INTERVAL = 1000;

/** What the page shows of the robot. The pose changes too often for signals; `onState` has it. */
export class RobotModel {
  readonly phase: Signal<RobotState["phase"]> = signal("not_initialized");
  readonly motorMode: Signal<RobotState["motorMode"]> = signal("disabled");
  readonly awake = signal(false);
  readonly move: Signal<RobotState["move"]> = signal(null);
  readonly error = signal<string | null>(null);
  readonly loop: Signal<RobotState["loop"] | null> = signal(null);
  /** The share of the servos' answers in the last second or so that were lost, 0 to 1; each answers once a period. */
  readonly answerLoss = signal(0);
  /** From the daemon's status; null until it answered. */
  readonly simulated = signal<boolean | null>(null);
  readonly version = signal<string | null>(null);
  readonly hasCamera = signal(false);
  readonly history = new MotionHistory();
  latest: RobotState | undefined;

  readonly #states = new Emitter<RobotState>();
  readonly #now: () => number;
  #figuresAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  receive(state: RobotState): void {
    this.latest = state;
    this.history.push(state);
    batch(() => {
      this.phase.value = state.phase;
      this.motorMode.value = state.motorMode;
      this.awake.value = state.awake;
      this.error.value = state.error;
      if (this.move.peek()?.id !== state.move?.id) this.move.value = state.move;
      if (this.#now() - this.#figuresAt >= FIGURES_INTERVAL) this.#updateFigures(state.loop);
    });
    this.#states.emit(state);
  }

  #updateFigures(loop: RobotState["loop"]): void {
    const previous = this.loop.value;
    const seconds = (this.#now() - this.#figuresAt) / 1000;
    const errors = previous ? Math.max(0, loop.busErrors - previous.busErrors) : 0;
    const share = errors / Math.max(1, JOINTS.length * loop.frequencyHz * seconds);
    this.answerLoss.value = (this.answerLoss.value + Math.min(1, share)) / 2;
    this.#figuresAt = this.#now();
    this.loop.value = loop;
  }

  /** Whether the robot sleeps and can be woken up. */
  get sleeps(): boolean {
    return this.latest?.phase === "running" && this.latest.motorMode === "disabled" && !this.latest.awake;
  }

  /** Resolves when the robot has woken up, or after so many milliseconds. */
  awoken(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(end, withinMs);
      const stop = this.#states.on(({ awake, move }) => awake && move === null && end());
    });
  }

  /** Calls `listener` with the latest state immediately, if there is one, and then with each new one. */
  onState(listener: (state: RobotState) => void): Unsubscribe {
    if (this.latest) listener(this.latest);
    return this.#states.on(listener);
  }
}
