import type { AppState, AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";

/** How an app's process ended. */
export interface AppEnd {
  /** The main process's exit code; null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** True when SIGINT alone was not enough. */
  forced: boolean;
  /** The last lines of its standard error, oldest first. */
  lastErrors: readonly string[];
}

/** A running app: its main process and all processes that the main process started. */
export interface AppProcess {
  /** Of the main process, and of the process group. */
  readonly pid: number;
  /** Settles, never rejects, when no process of the app is left. */
  readonly exited: Promise<AppEnd>;
  /** Why it cannot be seen whether its processes have ended; null when it can. */
  readonly cannotLook: Error | null;
  /** Whether its main process has exited; others of its processes may live. */
  readonly mainHasExited: boolean;
  /**
   * Asks the app to end, and ends it by force after the grace period. Does nothing the second time.
   * @param isStarting true for an app that has not connected yet
   */
  stop(isStarting: boolean): void;
  /** To be called when the app's SDK connects. */
  connected(): void;
  /**
   * Whether one of its processes has opened a TCP connection of this machine.
   * @param port of the end that connected
   * @throws Error when that cannot be seen
   */
  ownsConnection(port: number): Promise<boolean>;
}

/** Starts an app's process. @throws WorkbenchError `app-start-failed` */
export type LaunchApp = (app: InstalledApp) => Promise<AppProcess>;

/** One app's run, from the claim of the slot to the end. */
export class Run {
  readonly app: InstalledApp;
  /** Why it is stopped, where that was no stop of a person: `the robot goes to sleep`. */
  stopReason: string | null = null;
  readonly #unlock: () => void;
  /** Lets the environment's packages change again. */
  releaseEnvironment = (): void => {};
  /** Aborts when a stop is requested. */
  readonly stopping = new AbortController();
  /** Its state when a stop was requested. */
  stopRequestedIn: "starting" | "running" | null = null;
  process: AppProcess | null = null;
  /** Whether its SDK has connected. */
  hasConnected = false;
  /** Settles as the process runs, with null when a stop came first; null until the run has the slot. */
  launched: Promise<AppProcess | null> | null = null;
  /** Settles when no process of the app is left and the robot is back in its default pose. */
  ended: Promise<void> = Promise.resolve();
  hasEnded = false;
  /** To be called when no process of the app is left, and the run that follows has the slot. */
  exit = (): void => {};
  /** Settles when `exit` is called. */
  readonly exited = new Promise<void>((resolve) => {
    this.exit = resolve;
  });
  #next: { run: Run; inPlace: boolean } | null = null;
  /** Whether a stop has promised that the robot returns after this run. */
  #mustReturn = false;
  #state: AppState = "starting";
  #error: string | null = null;
  /** When it entered this state, milliseconds since the Unix epoch. */
  #since = 0;

  constructor(app: InstalledApp, unlock: () => void) {
    this.app = app;
    this.#unlock = unlock;
  }

  get state(): AppState {
    return this.#state;
  }

  /** An app whose main process has exited is shown as `stopping` while its other processes are ended. */
  get status(): AppStatus {
    const { info, copy } = this.app;
    const trial = copy === undefined ? {} : { trial: true };
    const isEnding = this.process?.mainHasExited && !isFinal(this.#state);
    const reason = this.stopReason === null ? {} : { stop_reason: this.stopReason };
    const state = isEnding ? "stopping" : this.#state;
    return { info, state, error: this.#error, since: this.#since, ...trial, ...reason };
  }

  enterState(state: AppState, error: string | null, since: number): void {
    this.#state = state;
    this.#error = error;
    this.#since = since;
    if (state !== "starting") this.releaseEnvironment();
    if (isFinal(state)) this.#unlock();
  }

  /** The run that has claimed the slot after this one, and whether the robot stays where it is in between. */
  get next(): { readonly run: Run; readonly inPlace: boolean } | null {
    return this.#next;
  }

  /**
   * Lets a run follow this one, in place of any other. One of the same app that does already stays, and the robot returns
   * in between when only one of the two wants that.
   * @param claim makes the run
   * @returns the run that follows
   */
  follow(app: InstalledApp, inPlace: boolean, claim: () => Run): Run {
    const before = this.#next;
    const isJoined =
      before !== null &&
      before.run.app.info.name === app.info.name &&
      before.run.app.copy?.importFolder === app.copy?.importFolder;
    const run = isJoined ? before.run : claim();
    if (!isJoined) this.#cancelNext();
    this.#next = { run, inPlace: inPlace && !this.#mustReturn && (before?.inPlace ?? true) };
    return run;
  }

  /** No run follows, and the robot returns to its default pose after this one. */
  beLast(): void {
    this.#cancelNext();
    this.#mustReturn = true;
  }

  #cancelNext(): void {
    if (this.#next !== null) this.#next.run.#unlock();
    this.#next = null;
  }
}

export const isFinal = (state: AppState): boolean => state === "done" || state === "error";

export type Outcome = Pick<AppStatus, "state" | "error">;

export const DONE: Outcome = { state: "done", error: null };

/** 128 + SIGINT: the exit code of a program that handles the signal itself, by the convention of shells. */
const INTERRUPTED = 130;

/**
 * The final state of an app, from how its process ended.
 * @param stopRequestedIn null when the app ended by itself, otherwise its state when the stop was requested. A process
 *   that is interrupted while `starting` (Python imports modules then) may exit with any code: not the app's fault.
 */
export function outcomeOf(end: AppEnd, stopRequestedIn: "starting" | "running" | null): Outcome {
  if (stopRequestedIn !== null && end.forced) {
    const next =
      stopRequestedIn === "starting"
        ? "leave SIGINT alone until wrapped_run() handles it"
        : "run() must return soon after stop_event is set";
    return failed(end, `${howItEnded(end)}: ${next}`);
  }
  if (end.code === 0 || stopRequestedIn === "starting") return DONE;
  if (stopRequestedIn === "running" && (end.signal === "SIGINT" || end.code === INTERRUPTED)) return DONE;
  const how = howItEnded(end);
  return failed(end, stopRequestedIn === null ? how : `${how} while it was stopping`);
}

/** How a process ended, as the log and the state of the slot say it: `exited with code 1`. */
export function howItEnded({ code, signal, forced }: Pick<AppEnd, "code" | "signal" | "forced">): string {
  if (code === null && signal === null) return "was not ended by SIGKILL, either";
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
  return forced ? `${how}, after it had ignored SIGINT for the grace period` : how;
}

function failed(end: AppEnd, how: string): Outcome {
  return { state: "error", error: [`The app ${how}.`, ...end.lastErrors].join("\n") };
}
