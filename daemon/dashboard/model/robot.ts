import { batch, type Signal, signal } from "@preact/signals";
import { JOINTS } from "../../../robot/description/joints.ts";
import type { RobotState } from "../../control/robot.ts";
import { History } from "./history.ts";

/** The figures of the loop change with every state; people read them twice a second. */
const READABLE = 500;

/** What the page shows of the robot. The pose is too fast for signals: it goes to the listeners of `onState`. */
export class RobotModel {
  readonly phase: Signal<RobotState["phase"]> = signal("not_initialized");
  readonly motorMode: Signal<RobotState["motorMode"]> = signal("disabled");
  readonly awake = signal(false);
  readonly move: Signal<RobotState["move"]> = signal(null);
  readonly error = signal<string | null>(null);
  readonly loop: Signal<RobotState["loop"] | null> = signal(null);
  /** The share of the servos' answers of the last second or so that were lost, 0 to 1; each answers once a period. */
  readonly busTrouble = signal(0);
  /** From the daemon's status; null until it answered. */
  readonly simulated = signal<boolean | null>(null);
  readonly version = signal<string | null>(null);
  readonly history = new History();
  latest: RobotState | undefined;

  readonly #listeners = new Set<(state: RobotState) => void>();
  readonly #now: () => number;
  #loopShown = Number.NEGATIVE_INFINITY;

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
      if (this.#now() - this.#loopShown >= READABLE) this.#showLoop(state.loop);
    });
    for (const listener of this.#listeners) listener(state);
  }

  #showLoop(loop: RobotState["loop"]): void {
    const before = this.loop.value;
    const seconds = (this.#now() - this.#loopShown) / 1000;
    const errors = before ? Math.max(0, loop.busErrors - before.busErrors) : 0;
    const share = errors / Math.max(1, JOINTS.length * loop.frequencyHz * seconds);
    this.busTrouble.value = (this.busTrouble.value + Math.min(1, share)) / 2;
    this.#loopShown = this.#now();
    this.loop.value = loop;
  }

  onState(listener: (state: RobotState) => void): () => void {
    this.#listeners.add(listener);
    if (this.latest) listener(this.latest);
    return () => this.#listeners.delete(listener);
  }
}
