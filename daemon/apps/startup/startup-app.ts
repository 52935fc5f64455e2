import type { Unsubscribe } from "../../../robot/servo/byte-link.ts";
import type { AppStatus } from "../../../robot/wire/apps.ts";
import { type ErrorCode, problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import type { Robot, RobotEvent, RobotState } from "../../control/robot.ts";
import type { Slot } from "../slot/slot.ts";

export interface StartupParts {
  robot: Pick<Robot, "state" | "onState" | "onEvent" | "wakeUp">;
  slot: Pick<Slot, "busy" | "start">;
  clock: Clock;
  /** Sees to it that an app is installed, when that is possible. @throws why it failed */
  fetch(name: string): Promise<void>;
  remoteSessionActive(): boolean;
  onProblem(message: string): void;
}

/** Pauses before each further try of an app that fails after a wake-up; then it waits for the next one. */
const RETRY_AFTER_MS = [1000, 5000, 20_000];

/**
 * Starts the startup app whenever the robot has woken up, and wakes the robot when somebody touches an antenna. Never
 * in the way of another app or of somebody who moves the robot from elsewhere.
 */
export class StartupApp {
  name: string | null;
  readonly #parts: StartupParts;
  readonly #subscriptions: Unsubscribe[];
  #wasUp = false;
  #waking = false;
  #closed = false;
  #tries = 0;
  /** True while the app that runs is one that was started here. */
  #ours = false;
  #callOffRetry = () => {};
  /** Why the app could not be had, as it was last told: nobody needs to hear it at every try. */
  #told: string | null = null;

  constructor(name: string | null, parts: StartupParts) {
    this.name = name;
    this.#parts = parts;
    const { robot } = parts;
    this.#subscriptions = [
      robot.onState((state) => this.#onState(state)),
      robot.onEvent((event) => this.#onEvent(event)),
    ];
    this.#onState(robot.state);
  }

  /** Sees to it that the app is installed before it is wanted; tells what stands in the way, and never rejects. */
  async prepare(): Promise<void> {
    if (this.name !== null) await this.#fetch(this.name);
  }

  /** Somebody decided what runs: no further tries until the next wake-up. */
  standDown(): void {
    this.#callOffRetry();
    this.#ours = false;
  }

  /** To be told of all changes of the slot. */
  onSlot(status: AppStatus): void {
    const ours = this.#ours;
    if (status.state === "done" || status.state === "error") this.#ours = false;
    if (ours && status.state === "error") this.#retry(status.error ?? "it failed");
  }

  close(): void {
    this.#closed = true;
    this.standDown();
    for (const unsubscribe of this.#subscriptions) unsubscribe();
  }

  #onState(state: RobotState): void {
    const up = isUp(state);
    if (up && !this.#wasUp) {
      this.#tries = 0;
      void this.#start();
    }
    this.#wasUp = up;
  }

  #onEvent(event: RobotEvent): void {
    const { state } = this.#parts.robot;
    if (event.kind !== "antenna_touched" || state.phase !== "running" || state.awake) return;
    if (this.#waking || this.name === null || !this.#isFree()) return;
    this.#waking = true;
    this.#wake(this.name).finally(() => {
      this.#waking = false;
    });
  }

  /** The app comes before the wake-up, and the robot wakes without it too. */
  async #wake(name: string): Promise<void> {
    const { robot, onProblem } = this.#parts;
    await this.#fetch(name);
    if (this.#closed || robot.state.awake || !this.#isFree()) return;
    await robot.wakeUp().catch((error: Error) => onProblem(`The robot did not wake up at the touch: ${error.message}`));
  }

  async #start(): Promise<void> {
    if (this.name === null || !this.#isFree() || !isUp(this.#parts.robot.state)) return;
    try {
      const { name } = this;
      const missing = await this.#fetch(name);
      if (missing !== null && missing !== "app-not-found" && !this.#closed) this.#retryLater();
      if (missing !== null) return;
      if (this.#closed || name !== this.name || !this.#isFree() || !isUp(this.#parts.robot.state)) return;
      await this.#parts.slot.start(name);
      this.#ours = true;
    } catch (error) {
      const takenOrOver = ["app-already-running", "shutting-down"];
      if (error instanceof WorkbenchError && takenOrOver.includes(error.code)) return;
      this.#retry(error instanceof Error ? error.message : String(error));
    }
  }

  /** Null when the app is installed, else the code of what stands in the way, which is told once. */
  async #fetch(name: string): Promise<ErrorCode | null> {
    try {
      await this.#parts.fetch(name);
      this.#told = null;
      return null;
    } catch (error) {
      const { code, detail } = problemOf(error);
      const next =
        code === "app-not-found"
          ? "Start without it, or choose another with --startup-app or PUT /api/apps/startup-app."
          : "It is tried again after the robot has woken up.";
      const text = `The startup app cannot be had. ${detail} ${next}`;
      if (text !== this.#told && !this.#closed) this.#parts.onProblem(text);
      this.#told = text;
      return code;
    }
  }

  #retry(why: string): void {
    const pause = this.#retryLater();
    const next = pause === null ? "It is tried again at the next wake-up." : `Next try in ${pause / 1000} s.`;
    this.#parts.onProblem(`The startup app ${this.name} failed. ${next}\n${why}`);
  }

  /** Returns in how many milliseconds, or null when only the next wake-up is another try. */
  #retryLater(): number | null {
    const pause = RETRY_AFTER_MS[this.#tries];
    if (pause === undefined) return null;
    this.#tries += 1;
    this.#callOffRetry = this.#parts.clock.after(pause, () => void this.#start());
    return pause;
  }

  #isFree(): boolean {
    return !this.#parts.slot.busy && !this.#parts.remoteSessionActive();
  }
}

function isUp({ phase, awake, move }: RobotState): boolean {
  return phase === "running" && awake && move?.kind !== "wake_up";
}
