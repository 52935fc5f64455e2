import { Emitter } from "../../../common/emitter.ts";
import { type Clock, sleep } from "../../../common/time/clock.ts";
import type { AppState, AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { withSystemCode } from "../../files/system-error.ts";
import type { Robot } from "../../robot-client/robot.ts";
import type { AppCopy, InstalledApp } from "../catalogue/installed-app.ts";
import { type AppProcess, DONE, isFinal, type LaunchApp, type Outcome, outcomeOf, Run } from "./run.ts";

export interface SlotParts {
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
  launch: LaunchApp;
  robot: Pick<Robot, "cancelMove" | "beginAppSession" | "endAppSession">;
  clock: Clock;
  /** Called when the robot could not return to its default pose. */
  onReturnFailed(reason: string): void;
  /** Why no app may be started by the daemon itself now; null when one may. Default: one always may. */
  whyNotByItself?(): string | null;
  /** Why an app ended without an error and without connecting; null when that is not known. */
  whyNeverRan?(app: InstalledApp): Promise<string | null>;
}

interface StartOptions {
  /** Who asks: a person or program over HTTP, or the daemon itself, which starts no app on a robot that sleeps. Default `user`. */
  requester?: "user" | "daemon";
  /** Stops the app that holds the slot first, instead of refusing. Default false. */
  replace?: boolean;
  /** With `replace`: leaves the robot where it is in between. Default false. */
  inPlace?: boolean;
  /** Runs this copy of the app, for a try. */
  copy?: AppCopy;
}

/** An app without the SDK never connects; after this long it counts as running all the same. */
const RUNNING_AFTER_MS = 3000;
/** Milliseconds between two looks whether the end of an app can be seen. */
const LOOK_MS = 250;

/**
 * Holds at most one app. States: `starting` until the SDK connects (or three seconds pass), `running`, `stopping`, and
 * then free again as `done` or `error`, however the app ended. A free slot can be claimed immediately; the app is
 * launched when the robot has returned to its default pose after the previous one. A restart, and a start that replaces
 * the app, keep the slot claimed in between; a stop cancels them.
 */
export class Slot {
  /** Emits each change, before anything that it causes: before the robot returns after an app, for one. */
  readonly changes = new Emitter<AppStatus>();
  /** Emits when a user has decided what runs: an accepted start or restart, or a stop. */
  readonly userDecisions = new Emitter<"start" | "stop">();
  readonly #parts: SlotParts;
  #run: Run | null = null;
  #returned: Promise<void> = Promise.resolve();
  /** Whether an app has moved the robot, and the robot has not been told that its session is over. */
  #isSessionOpen = false;
  /** Counts stops, to notice one while an app is looked up. */
  #stops = 0;
  #closed = false;

  constructor(parts: SlotParts) {
    this.#parts = parts;
  }

  /** The app of the slot, or the last one and how it ended; null before the first start. */
  status(): AppStatus | null {
    return this.#run?.status ?? null;
  }

  /** True while an app holds the slot. */
  get busy(): boolean {
    return this.#run !== null && !isFinal(this.#run.state);
  }

  /**
   * Settles when the app's process runs.
   * @throws WorkbenchError `app-not-found`, `app-already-running`, `app-busy`, `app-start-failed`, `shutting-down`;
   *   `start-cancelled` when a stop came first; `robot-not-ready` when the daemon itself may start none
   */
  async start(name: string, options: StartOptions = {}): Promise<AppStatus> {
    const { requester = "user", replace = false, inPlace = false, copy } = options;
    const stops = this.#stops;
    const found = await this.#parts.find(name);
    const app = copy === undefined ? found : { ...found, file: copy.mainFile, copy };
    return replace ? this.#replace(app, stops, inPlace) : this.#claim(app, requester);
  }

  /**
   * Settles when no process of the app is left and the robot is back in its default pose; joins a stop under way.
   * @param reason why, where nobody asked for the stop itself
   * @throws WorkbenchError `no-app-running`
   */
  async stop(reason?: string): Promise<AppStatus> {
    this.userDecisions.emit("stop");
    return this.#stop(reason);
  }

  /** Stops the app that holds the slot, if there is one; settles as `stop` does. */
  async free(reason?: string): Promise<void> {
    if (this.busy) await this.stop(reason);
  }

  /**
   * Stops the app and starts it again. Settles when its new process runs.
   * @param inPlace leaves the robot where it is in between: for an author, who sees a change at once
   * @throws WorkbenchError `no-app-running` when there is none to stop; as `start` when it cannot be started again
   */
  async restart({ inPlace = false }: { inPlace?: boolean } = {}): Promise<AppStatus> {
    const run = this.#run;
    if (run === null || !this.busy) throw nothingRuns();
    const stops = this.#stops;
    const app = await this.#parts.find(run.app.info.name);
    // The app may have ended meanwhile, and another one may have the slot.
    if (this.#run !== run) this.#throwIfTaken();
    return this.#replace(app, stops, inPlace);
  }

  /**
   * Takes note that an SDK client connected.
   * @param pid process of the client
   * @returns whether it is the app of the slot
   */
  attach(pid: number): boolean {
    const run = this.#run;
    if (run?.process == null || isFinal(run.state) || pid !== run.process.pid) return false;
    run.process.connected();
    run.hasConnected = true;
    this.#becomeRunning(run);
    return true;
  }

  /**
   * As `attach`, for a client that does not say its process: any process of the app counts.
   * @param port of its end of the connection, on this machine
   * @throws Error when it cannot be seen whose connection that is
   */
  async attachConnection(port: number): Promise<boolean> {
    const app = this.#run?.process ?? null;
    if (app === null || isFinal(this.#run?.state ?? "done")) return false;
    return (await app.ownsConnection(port)) && this.attach(app.pid);
  }

  /** Refuses all starts from now on, stops the app and settles when the robot is back in its default pose. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.busy) await this.#stop();
    await this.#returned;
  }

  /** The slot stays taken while its app may live. @throws WorkbenchError `system-refused` */
  #throwIfUnseen(): void {
    const run = this.#run;
    const why = run?.process?.cannotLook ?? null;
    if (run === null || why === null || isFinal(run.state)) return;
    const known = withSystemCode(why);
    const remedy = known instanceof WorkbenchError ? known.message : `${why.message}.`;
    throw new WorkbenchError("system-refused", `It cannot be seen whether ${run.app.info.name} has ended. ${remedy}`);
  }

  /** @throws WorkbenchError `shutting-down`, `app-already-running`, `system-refused` */
  #throwIfTaken(): void {
    if (this.#closed) throw new WorkbenchError("shutting-down", "The daemon is shutting down; start it again first.");
    this.#throwIfUnseen();
    if (this.busy) throw new WorkbenchError("app-already-running", "An app is already running");
  }

  /** Claims the free slot. */
  #claim(app: InstalledApp, requester: "user" | "daemon"): Promise<AppStatus> {
    this.#throwIfTaken();
    const whyNot = requester === "daemon" ? (this.#parts.whyNotByItself?.() ?? null) : null;
    if (whyNot !== null) throw new WorkbenchError("robot-not-ready", `${app.info.name} is not started: ${whyNot}.`);
    const run = new Run(app, this.#parts.lock(app));
    if (requester === "user") this.userDecisions.emit("start");
    this.#begin(run);
    return this.#started(run);
  }

  /**
   * Claims the slot for an app that follows the one that holds it, and stops that one.
   * @param stops how many stops there were as this was requested: one that came later cancels it
   */
  async #replace(app: InstalledApp, stops: number, inPlace: boolean): Promise<AppStatus> {
    const run = this.#run;
    if (stops !== this.#stops) throw cancelled(app);
    if (this.#closed || run === null || isFinal(run.state)) return this.#claim(app, "user");
    const next = run.follow(app, inPlace, () => new Run(app, this.#parts.lock(app)));
    this.userDecisions.emit("start");
    this.#interrupt(run);
    await run.exited;
    return this.#started(next);
  }

  /** Gives the run the slot. */
  #begin(run: Run): void {
    this.#run = run;
    const launched = this.#launch(run);
    run.launched = launched;
    run.ended = this.#runToEnd(run, launched);
    this.#enterState(run, "starting");
  }

  /** Settles when the run's process runs. @throws WorkbenchError why it does not, or `start-cancelled` */
  async #started(run: Run): Promise<AppStatus> {
    await run.launched;
    if (run.launched === null || run.stopRequestedIn !== null) throw cancelled(run.app);
    return run.status;
  }

  async #stop(reason?: string): Promise<AppStatus> {
    const run = this.#run;
    const isStopping = run !== null && run.stopRequestedIn !== null && !run.hasEnded;
    if (run === null || (isFinal(run.state) && !isStopping)) throw nothingRuns();
    this.#stops += 1;
    if (reason !== undefined && run.stopRequestedIn === null) run.stopReason = reason;
    run.beLast();
    this.#interrupt(run);
    while (!run.hasEnded) {
      this.#throwIfUnseen();
      await Promise.race([run.ended, sleep(this.#parts.clock, LOOK_MS)]);
    }
    return run.status;
  }

  #interrupt(run: Run): void {
    if (run.state !== "starting" && run.state !== "running") return;
    run.stopRequestedIn = run.state;
    run.stopping.abort();
    this.#enterState(run, "stopping");
    run.process?.stop(run.stopRequestedIn === "starting");
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
    this.#isSessionOpen = true;
    // Fails only while the robot process is lost: the one that replaces it is told.
    this.#parts.robot.beginAppSession({ pid: run.process.pid }).catch(() => undefined);
    if (run.stopRequestedIn !== null) run.process.stop(true);
    return run.process;
  }

  async #runToEnd(run: Run, launched: Promise<AppProcess | null>): Promise<void> {
    let outcome: Outcome;
    try {
      const process = await launched;
      outcome = process === null ? DONE : await this.#watch(run, process);
    } catch (error) {
      outcome = { state: "error", error: error instanceof Error ? error.message : String(error) };
    }
    this.#enterState(run, outcome.state, outcome.error);
    this.#returned = this.#afterExit(run.next?.inPlace ?? false);
    if (run.next !== null) this.#begin(run.next.run);
    run.exit();
    await this.#returned;
    run.hasEnded = true;
  }

  async #watch(run: Run, process: AppProcess): Promise<Outcome> {
    const cancelTimer = this.#parts.clock.after(RUNNING_AFTER_MS, () => this.#becomeRunning(run));
    const end = await process.exited;
    cancelTimer();
    const outcome = outcomeOf(end, run.stopRequestedIn);
    if (outcome.state === "error" || run.hasConnected || run.stopRequestedIn !== null) return outcome;
    const why = (await this.#parts.whyNeverRan?.(run.app).catch(() => null)) ?? null;
    return why === null ? outcome : { state: "error", error: `The app ended without connecting to the robot: ${why}` };
  }

  /**
   * Returns the robot to its default pose, if an app moved it. Never rejects: a failure is reported, and the slot can be
   * used all the same.
   * @param keepsPose only cancels the app's moves: the app that follows goes on from where the robot is
   */
  async #afterExit(keepsPose: boolean): Promise<void> {
    const { robot, onReturnFailed } = this.#parts;
    if (!this.#isSessionOpen) return;
    if (keepsPose) return void (await robot.cancelMove().catch(() => undefined));
    this.#isSessionOpen = false;
    await robot.endAppSession().catch((error: Error) => onReturnFailed(error.message));
  }

  /** An app does not run that has exited, although its processes are still being ended. */
  #becomeRunning(run: Run): void {
    if (run.state === "starting" && run.process?.mainHasExited === false) this.#enterState(run, "running");
  }

  #enterState(run: Run, state: AppState, error: string | null = null): void {
    run.enterState(state, error, this.#parts.clock.unixTime());
    this.changes.emit(run.status);
  }
}

const nothingRuns = () => new WorkbenchError("no-app-running", "No app is running; start one first.");
const cancelled = ({ info }: InstalledApp) =>
  new WorkbenchError(
    "start-cancelled",
    `${info.name} was not started: a stop, or the start of another app, was requested before it ran. Start it again.`,
  );
