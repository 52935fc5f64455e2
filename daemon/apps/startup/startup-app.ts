import { z } from "zod";
import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";
import { type Clock, sleep } from "../../../common/time/clock.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { type ErrorCode, problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { readJson, writeJson } from "../../files/json-file.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { isAppName } from "../catalogue/names.ts";
import type { Slot } from "../slot/slot.ts";

interface StartupAppParts {
  robot: Pick<Robot, "state" | "onState" | "onEvent" | "wakeUp">;
  slot: Pick<Slot, "busy" | "start" | "changes" | "userDecisions">;
  clock: Clock;
  /** @throws why an app can neither be started nor installed */
  checkAvailable(name: string): Promise<void>;
  /** Installs an app unless it is installed. @throws why that failed */
  ensureInstalled(name: string): Promise<void>;
  /** Remembers the choice across restarts of the daemon. */
  save(name: string | null): Promise<void>;
  onProblem(message: string): void;
  /** Gets a sentence when the app is started. */
  onStart(message: string): void;
}

/** Pauses before each further attempt with an app that fails after a wake-up; after the last, only a wake-up starts it. */
const RETRY_AFTER_MS = [1000, 5000, 20_000];
/** How long the robot waits for its installation before it wakes up, milliseconds. */
const INSTALL_MS = 2 * 60_000;

/**
 * Starts the startup app whenever the robot has woken up, and wakes the robot when a person touches an antenna. Does
 * nothing while another app holds the slot or a program outside the slot moves the robot.
 */
export class StartupApp {
  /** Emits the name when another startup app is chosen. */
  readonly changes = new Emitter<string | null>();
  readonly #parts: StartupAppParts;
  #name: string | null;
  #remoteSessionActive = (): boolean => false;
  #subscriptions: Unsubscribe[] = [];
  /** Whether the robot was awake when it was last connected. */
  #wasAwake = false;
  /** Counts what users decided, to notice a decision during a step that takes time. */
  #decisions = 0;
  /** True after a decision of a user, until the robot falls asleep: only a wake-up starts the app again. */
  #userDecided = false;
  #waking = false;
  #closed = false;
  #attempts = 0;
  /** True while the running app is one that this class started. */
  #startedHere = false;
  #cancelRetry = () => {};
  /** The last problem that was reported about installing the app, so that further attempts do not repeat it. */
  #lastProblem: string | null = null;

  constructor(name: string | null, parts: StartupAppParts) {
    this.#name = name;
    this.#parts = parts;
  }

  /** Null when there is none. */
  get name(): string | null {
    return this.#name;
  }

  /**
   * Chooses another startup app, or none.
   * @throws WorkbenchError `bad-request` for a text that is no name; why the app can neither be started nor installed
   */
  async choose(name: string | null): Promise<void> {
    if (name !== null && !isAppName(name)) {
      throw new WorkbenchError(
        "bad-request",
        `${JSON.stringify(name)} is no app name: letters, digits, ".", "_", "-".`,
      );
    }
    if (name !== null) await this.#parts.checkAvailable(name);
    await this.#parts.save(name);
    this.#name = name;
    this.changes.emit(name);
  }

  /** Installs the app before the robot wakes up, which waits at most two minutes. Reports a failure and never rejects. */
  async prepare(): Promise<void> {
    if (this.#name !== null) await this.#installInTime(this.#name);
  }

  async #installInTime(name: string): Promise<void> {
    const { clock, onProblem } = this.#parts;
    const isOver = new AbortController();
    const installed = this.#ensureInstalled(name).finally(() => isOver.abort());
    await Promise.race([installed, sleep(clock, INSTALL_MS, isOver.signal)]);
    if (isOver.signal.aborted || this.#closed) return;
    onProblem(`The installation of the startup app ${name} takes long: the robot wakes up, and the app starts later.`);
  }

  /**
   * Starts the app from now on whenever it is due; immediately when the robot is awake.
   * @param remoteSessionActive true while a program outside the slot moves the robot
   */
  begin(remoteSessionActive: () => boolean): void {
    const { robot, slot } = this.#parts;
    this.#remoteSessionActive = remoteSessionActive;
    this.#subscriptions = [
      robot.onState((state) => this.#onState(state)),
      robot.onEvent((event) => this.#onEvent(event)),
      slot.changes.on((status) => this.#onSlotChange(status)),
      slot.userDecisions.on(() => this.#onUserDecision()),
    ];
    this.#onState(robot.state);
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetries();
    for (const unsubscribe of this.#subscriptions) unsubscribe();
  }

  #onUserDecision(): void {
    this.#decisions += 1;
    this.#userDecided = true;
    this.#cancelRetries();
  }

  #cancelRetries(): void {
    this.#cancelRetry();
    this.#startedHere = false;
  }

  #onSlotChange({ state, error }: AppStatus): void {
    const startedHere = this.#startedHere;
    if (state === "done" || state === "error") this.#startedHere = false;
    if (startedHere && state === "error") this.#retry(error ?? "it failed");
  }

  /**
   * Waking up starts the app. So does a robot that is connected again and awake, unless a user decided what runs: the
   * lost connection is no reason to undo that.
   */
  #onState(state: RobotState): void {
    if (state.phase === "running" && !state.awake) this.#userDecided = false;
    const awake = isAwake(state);
    if (awake && !this.#wasAwake && !this.#userDecided) {
      this.#attempts = 0;
      this.#cancelRetry();
      void this.#start("the robot is awake");
    }
    this.#wasAwake = awake;
  }

  #onEvent(event: RobotEvent): void {
    const { state } = this.#parts.robot;
    if (event.kind !== "antenna_touched" || state.phase !== "running" || state.awake) return;
    if (this.#waking || this.#name === null || !this.#isFree()) return;
    void this.#wake(this.#name);
  }

  /** Installs the app first. The robot wakes up even if that fails. Reports a failure and never rejects. */
  async #wake(name: string): Promise<void> {
    const { robot, onProblem } = this.#parts;
    this.#waking = true;
    try {
      await this.#installInTime(name);
      if (!this.#closed && !robot.state.awake && this.#isFree()) await robot.wakeUp();
    } catch (error) {
      onProblem(`The robot did not wake up at the touch: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#waking = false;
    }
  }

  /** @param reason for people */
  async #start(reason: string): Promise<void> {
    const name = this.#name;
    const decisions = this.#decisions;
    if (name === null || !this.#isFree() || !isAwake(this.#parts.robot.state)) return;
    try {
      const problem = await this.#ensureInstalled(name);
      if (problem !== null && problem !== "app-not-found" && !this.#closed) this.#retryLater();
      if (problem !== null) return;
      if (this.#closed || name !== this.#name || decisions !== this.#decisions) return;
      if (!this.#isFree() || !isAwake(this.#parts.robot.state)) return;
      this.#parts.onStart(`Starting the startup app ${name}: ${reason}.`);
      await this.#parts.slot.start(name, { requester: "daemon" });
      this.#startedHere = decisions === this.#decisions;
    } catch (error) {
      const isTakenOrOver = ["app-already-running", "shutting-down"];
      if (error instanceof WorkbenchError && isTakenOrOver.includes(error.code)) return;
      if (this.#closed || decisions !== this.#decisions) return;
      this.#retry(error instanceof Error ? error.message : String(error));
    }
  }

  /** Returns null when the app is installed, else the code of the problem, which is reported unless it is the same again. */
  async #ensureInstalled(name: string): Promise<ErrorCode | null> {
    try {
      await this.#parts.ensureInstalled(name);
      this.#lastProblem = null;
      return null;
    } catch (error) {
      const { code, detail } = problemOf(error);
      const next =
        code === "app-not-found"
          ? "Start without it, or choose another with --startup-app or PUT /api/apps/startup-app."
          : "The daemon tries again after the robot has woken up.";
      const problem = `The startup app cannot be installed. ${detail} ${next}`;
      if (problem !== this.#lastProblem && !this.#closed) this.#parts.onProblem(problem);
      this.#lastProblem = problem;
      return code;
    }
  }

  #retry(why: string): void {
    const pause = this.#retryLater();
    const next =
      pause === null ? "The next wake-up starts it again." : `The daemon starts it again in ${pause / 1000} s.`;
    // The other lines are those of the app, which its log has.
    this.#parts.onProblem(`The startup app ${this.#name} failed. ${next} ${why.split("\n", 1)[0]}`);
  }

  /** Schedules the next attempt. Returns in how many milliseconds, or null when there is none before the next wake-up. */
  #retryLater(): number | null {
    const pause = RETRY_AFTER_MS[this.#attempts];
    if (pause === undefined) return null;
    this.#attempts += 1;
    this.#cancelRetry();
    this.#cancelRetry = this.#parts.clock.after(pause, () => void this.#start("its last run failed"));
    return pause;
  }

  #isFree(): boolean {
    return !this.#parts.slot.busy && !this.#remoteSessionActive();
  }

  /** Why the daemon may start no app by itself now, this one or another; null when it may. */
  whyNotByItself(): string | null {
    if (!isAwake(this.#parts.robot.state)) return "the robot is not awake";
    return this.#remoteSessionActive() ? "a program outside the slot moves the robot" : null;
  }
}

function isAwake({ phase, awake, move }: RobotState): boolean {
  return phase === "running" && awake && move?.kind !== "wake_up";
}

/** The content of `startup-app.json`. */
export const StartupAppFile = z.object({ startup_app: z.string().nullable() });

/** The startup app's name; null when there is none or the file is unreadable. */
export async function readStartupAppName(file: string): Promise<string | null> {
  return (await readJson(file, StartupAppFile))?.startup_app ?? null;
}

/** @throws WorkbenchError `disk-full` */
export async function writeStartupAppName(file: string, name: string | null): Promise<void> {
  await writeJson(file, { startup_app: name }, { what: "The choice of the startup app" });
}
