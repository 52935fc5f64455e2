import { Emitter } from "../../../common/emitter.ts";
import type { AppState, AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import type { AppProcess, Launch } from "./app-process.ts";
import { DONE, type Outcome, outcomeOf } from "./outcome.ts";
import {
  keepPoseAfterApp,
  type ReturnParts,
  returnToDefaultAfterApp,
  setAppProcessGroup,
} from "./return-to-default.ts";

export interface SlotParts extends ReturnParts {
  /** @throws WorkbenchError `app-not-found` */
  find(name: string): Promise<InstalledApp>;
  /**
   * Locks the app against being installed or removed, as the slot is claimed.
   * @returns releases the lock
   * @throws WorkbenchError `app-busy`
   */
  lock(app: InstalledApp): () => void;
  /**
   * Waits until the packages of the environment do not change, or until the signal aborts.
   * @returns to be called when the app no longer imports: the packages may change from then on
   * @throws WorkbenchError `app-busy`
   */
  environmentReady(app: InstalledApp, signal: AbortSignal): Promise<() => void>;
  launch: Launch;
}

/** Who asks for a start: a person or program over HTTP, or the startup app. */
export type Requester = "user" | "startup-app";

/** An app without the SDK never connects; after this long it counts as running all the same. */
const RUNNING_AFTER_MS = 3000;

/** One app's run, from the claim of the slot to the end. */
interface Run {
  readonly app: InstalledApp;
  readonly unlock: () => void;
  /** Lets the environment's packages change again. */
  releaseEnvironment: () => void;
  /** Aborts when a stop is requested. */
  readonly stopping: AbortController;
  state: AppState;
  error: string | null;
  /** When it entered this state, milliseconds since the Unix epoch. */
  since: number;
  /** Its state when a stop was requested. */
  stopRequestedIn: "starting" | "running" | null;
  /** Whether the robot stays where it is after the run, because the same app follows. */
  keepsPose: boolean;
  process: AppProcess | null;
  /** Settles when no process of the app is left and the robot is back in its default pose. */
  ended: Promise<void>;
  hasEnded: boolean;
}

/**
 * Holds at most one app. States: `starting` until the SDK connects (or three seconds pass), `running`, `stopping`, and
 * then free again as `done` or `error`, however the app ended. A free slot can be claimed immediately; the app is
 * launched when the robot has returned to its default pose after the previous one.
 */
export class Slot {
  /** Emits each change, before anything that it causes: before the robot returns after an app, for one. */
  readonly changes = new Emitter<AppStatus>();
  /** Emits when a user has decided what runs: an accepted start, or a stop. */
  readonly userDecisions = new Emitter<"start" | "stop">();
  readonly #parts: SlotParts;
  #run: Run | null = null;
  #returned: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: SlotParts) {
    this.#parts = parts;
  }

  /** The app of the slot, or the last one and how it ended; null before the first start. */
  status(): AppStatus | null {
    return this.#run === null ? null : statusOf(this.#run);
  }

  /** True while an app holds the slot. */
  get busy(): boolean {
    return this.#run !== null && !isFinal(this.#run);
  }

  /**
   * Settles when the app's process runs, or when a stop came first.
   * @throws WorkbenchError `app-not-found`, `app-already-running`, `app-busy`, `app-start-failed`, `shutting-down`
   */
  async start(name: string, requester: Requester = "user"): Promise<AppStatus> {
    const app = await this.#parts.find(name);
    if (this.#closed) throw new WorkbenchError("shutting-down", "The daemon is shutting down; start it again first.");
    if (this.busy) throw new WorkbenchError("app-already-running", "An app is already running");
    const run: Run = {
      app,
      unlock: this.#parts.lock(app),
      releaseEnvironment: () => {},
      stopping: new AbortController(),
      state: "starting",
      error: null,
      since: this.#parts.clock.unixTime(),
      stopRequestedIn: null,
      keepsPose: false,
      process: null,
      ended: this.#returned,
      hasEnded: false,
    };
    if (requester === "user") this.userDecisions.emit("start");
    this.#run = run;
    const launched = this.#launch(run);
    run.ended = this.#runToEnd(run, launched);
    this.changes.emit(statusOf(run));
    await launched;
    return statusOf(run);
  }

  /**
   * Settles when no process of the app is left and the robot is back in its default pose; joins a stop under way.
   * @throws WorkbenchError `no-app-running`
   */
  async stop(): Promise<AppStatus> {
    this.userDecisions.emit("stop");
    return this.#stop();
  }

  /**
   * Stops the app and starts it again.
   * @param inPlace leaves the robot where it is in between: for an author, who sees a change at once
   * @throws WorkbenchError `no-app-running` when there is none to stop; `app-not-found`, `app-already-running`, `app-busy`,
   *   `app-start-failed` or `shutting-down` when it cannot be started again
   */
  async restart({ inPlace = false }: { inPlace?: boolean } = {}): Promise<AppStatus> {
    const run = this.#run;
    if (run !== null && !isFinal(run)) run.keepsPose = inPlace;
    const { info } = await this.stop();
    try {
      return await this.start(info.name);
    } catch (error) {
      // Nothing follows, so the robot must not stay where the app left it.
      if (run?.keepsPose && !this.busy) this.#returned = returnToDefaultAfterApp(this.#parts);
      throw error;
    }
  }

  /**
   * Takes note that an SDK client connected.
   * @param pid process of the client, where it says so
   * @returns whether it is the app of the slot
   */
  attach(pid?: number): boolean {
    const run = this.#run;
    if (run?.process == null || isFinal(run)) return false;
    if (pid !== undefined && pid !== run.process.pid) return false;
    run.process.connected();
    if (run.state === "starting") this.#enterState(run, "running");
    return true;
  }

  /** Refuses all starts from now on, stops the app and settles when the robot is back in its default pose. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.busy) await this.#stop();
    await this.#returned;
  }

  async #stop(): Promise<AppStatus> {
    const run = this.#run;
    const isStopping = run !== null && run.stopRequestedIn !== null && !run.hasEnded;
    if (run === null || (isFinal(run) && !isStopping)) {
      throw new WorkbenchError("no-app-running", "No app is running; start one first.");
    }
    if (run.state === "starting" || run.state === "running") {
      run.stopRequestedIn = run.state;
      run.stopping.abort();
      this.#enterState(run, "stopping");
      run.process?.stop(run.stopRequestedIn === "starting");
    }
    await run.ended;
    return statusOf(run);
  }

  /** Returns null when a stop came before the process. */
  async #launch(run: Run): Promise<AppProcess | null> {
    await this.#returned;
    run.releaseEnvironment = await this.#parts.environmentReady(run.app, run.stopping.signal);
    if (run.stopRequestedIn !== null) {
      run.releaseEnvironment();
      return null;
    }
    run.process = await this.#parts.launch(run.app);
    setAppProcessGroup(this.#parts.robot, { pid: run.process.pid });
    if (run.stopRequestedIn !== null) run.process.stop(true);
    return run.process;
  }

  async #runToEnd(run: Run, launched: Promise<AppProcess | null>): Promise<void> {
    try {
      const process = await launched;
      const { state, error } = process === null ? DONE : await this.#watch(run, process);
      this.#enterState(run, state, error);
    } catch (error) {
      this.#enterState(run, "error", error instanceof Error ? error.message : String(error));
    }
    const after = run.keepsPose && !this.#closed ? keepPoseAfterApp : returnToDefaultAfterApp;
    if (run.process !== null) this.#returned = after(this.#parts);
    await this.#returned;
    run.hasEnded = true;
  }

  async #watch(run: Run, process: AppProcess): Promise<Outcome> {
    const cancelTimer = this.#parts.clock.after(RUNNING_AFTER_MS, () => {
      if (run.state === "starting") this.#enterState(run, "running");
    });
    const end = await process.exited;
    cancelTimer();
    return outcomeOf(end, run.stopRequestedIn);
  }

  #enterState(run: Run, state: AppState, error: string | null = null): void {
    run.state = state;
    run.error = error;
    run.since = this.#parts.clock.unixTime();
    if (state !== "starting") run.releaseEnvironment();
    if (isFinal(run)) run.unlock();
    this.changes.emit(statusOf(run));
  }
}

const isFinal = ({ state }: Run): boolean => state === "done" || state === "error";
const statusOf = ({ app, state, error, since }: Run): AppStatus => ({ info: app.info, state, error, since });
