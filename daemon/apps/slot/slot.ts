import type { AppState, AppStatus } from "../../../robot/wire/apps.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import type { AppProcess, Launch } from "./app-process.ts";
import { DONE, type Outcome, outcomeOf } from "./outcome.ts";
import { comeToRest, type RestParts } from "./rest.ts";

export interface SlotParts extends RestParts {
  /** @throws WorkbenchError `app-not-found` */
  find(name: string): Promise<InstalledApp>;
  /** Called in the moment in which the slot is claimed. @throws WorkbenchError `app-busy` */
  admit(app: InstalledApp): void;
  launch: Launch;
  /** Told of an end before the robot is touched, so that what the app still had on the way can be dropped. */
  onChange(status: AppStatus): void;
}

/** An app without the SDK never connects; after this long it counts as running all the same. */
const RUNNING_AFTER_MS = 3000;

/** One app's stay in the slot. */
interface Run {
  readonly app: InstalledApp;
  state: AppState;
  error: string | null;
  /** When it entered this state, milliseconds since the Unix epoch. */
  since: number;
  /** What the app was doing when it was asked to stop. */
  asked: "starting" | "running" | null;
  process: AppProcess | null;
  /** Settles when nothing of the app is left and the robot has come to rest. */
  over: Promise<void>;
  isOver: boolean;
}

/**
 * The one place that holds an app. States: `starting` until the SDK connects (or three seconds pass), `running`,
 * `stopping`, and then free again as `done` or `error`, whatever ended the app. A free slot can be claimed at once;
 * the claimed app is launched when the robot has returned from the one before.
 */
export class Slot {
  readonly #parts: SlotParts;
  #run: Run | null = null;
  #rest: Promise<void> = Promise.resolve();
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
    return this.#run !== null && holdsSlot(this.#run);
  }

  /**
   * Settles when the app's process runs, or when a stop came first.
   * @throws WorkbenchError `app-not-found`, `app-already-running`, `app-busy`, `app-start-failed`, `shutting-down`
   */
  async start(name: string): Promise<AppStatus> {
    const app = await this.#parts.find(name);
    if (this.#closed) throw new WorkbenchError("shutting-down", "The daemon is shutting down; start it again first.");
    if (this.busy) throw new WorkbenchError("app-already-running", "An app is already running");
    this.#parts.admit(app);
    const run: Run = {
      app,
      state: "starting",
      error: null,
      since: this.#parts.clock.unixTime(),
      asked: null,
      process: null,
      over: this.#rest,
      isOver: false,
    };
    this.#run = run;
    const launched = this.#launch(run);
    run.over = this.#seeThrough(run, launched);
    this.#tell(run);
    await launched;
    return statusOf(run);
  }

  /**
   * Settles when nothing of the app is left and the robot is at rest; joins a stop that is under way.
   * @throws WorkbenchError `no-app-running`
   */
  async stop(): Promise<AppStatus> {
    const run = this.#run;
    const stopping = run !== null && run.asked !== null && !run.isOver;
    if (run === null || !(holdsSlot(run) || stopping)) {
      throw new WorkbenchError("no-app-running", "No app is running; start one first.");
    }
    if (run.state === "starting" || run.state === "running") {
      run.asked = run.state;
      this.#enter(run, "stopping");
      run.process?.stop();
    }
    await run.over;
    return statusOf(run);
  }

  /** Stops the app and starts it again. @throws WorkbenchError as `stop` and `start` */
  async restart(): Promise<AppStatus> {
    const { info } = await this.stop();
    return this.start(info.name);
  }

  /** An SDK client connected, of this process when it told. True when it is the app of the slot. */
  attach(pid?: number): boolean {
    const run = this.#run;
    if (run?.process == null || !holdsSlot(run)) return false;
    if (pid !== undefined && pid !== run.process.pid) return false;
    if (run.state === "starting") this.#enter(run, "running");
    return true;
  }

  /** Refuses all starts from now on, ends the app and settles when the robot is at rest. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.busy) await this.stop();
    await this.#rest;
  }

  /** Null when a stop came before the process. */
  async #launch(run: Run): Promise<AppProcess | null> {
    await this.#rest;
    if (isStopping(run)) return null;
    run.process = await this.#parts.launch(run.app);
    this.#parts.robot.guardApp({ pid: run.process.pid });
    if (isStopping(run)) run.process.stop();
    return run.process;
  }

  async #seeThrough(run: Run, launched: Promise<AppProcess | null>): Promise<void> {
    try {
      const process = await launched;
      const { state, error } = process === null ? DONE : await this.#watch(run, process);
      this.#enter(run, state, error);
    } catch (error) {
      this.#enter(run, "error", error instanceof Error ? error.message : String(error));
    }
    if (run.process !== null) this.#rest = comeToRest(this.#parts);
    await this.#rest;
    run.isOver = true;
  }

  async #watch(run: Run, process: AppProcess): Promise<Outcome> {
    const callOff = this.#parts.clock.after(RUNNING_AFTER_MS, () => this.attach(process.pid));
    const end = await process.gone;
    callOff();
    return outcomeOf(end, run.asked);
  }

  #enter(run: Run, state: AppState, error: string | null = null): void {
    run.state = state;
    run.error = error;
    run.since = this.#parts.clock.unixTime();
    this.#tell(run);
  }

  #tell(run: Run): void {
    this.#parts.onChange(statusOf(run));
  }
}

const holdsSlot = (run: Run): boolean => run.state !== "done" && run.state !== "error";
const isStopping = (run: Run): boolean => run.state === "stopping";
const statusOf = ({ app, state, error, since }: Run): AppStatus => ({ info: app.info, state, error, since });
