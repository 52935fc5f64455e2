import { setTimeout } from "node:timers/promises";
import { sendSignal } from "../../common/machine/machine.ts";
import { ProcessTable } from "../../common/machine/process-table.ts";
import { seededRandom } from "../../common/seeded-random.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import type { EndCause } from "../evidence/app-run.ts";
import type { Facts } from "../evidence/evidence.ts";
import { CONNECT_LIMIT, DEFAULT_POSE_TOLERANCE, EXIT_LIMIT, GRACE_PERIOD, LONGEST_START } from "../test-runs/limits.ts";
import type { TestRun } from "../verdict/verdict.ts";
import { ACTION_TEXTS } from "./action-texts.ts";
import { injectedErrorOf, readTraceMarkers } from "./app/trace-instrument.ts";
import { AppProcesses } from "./app-processes.ts";
import { requestDaemon, requireSuccess } from "./daemon/request-daemon.ts";
import { DefaultPoseWatch } from "./default-pose-watch.ts";
import type { Host } from "./host.ts";
import type { TestRunTask } from "./lane/messages.ts";
import { gotoDefaultPose } from "./observe/default-pose.ts";
import { measureFolders, usedBytesOf } from "./observe/folder-size.ts";
import type { LiveAppRun, Milestone } from "./observe/live-app-run.ts";
import { ObservationLog } from "./observe/observation-log.ts";
import { measureTree } from "./observe/process-tree-watch.ts";
import type { SdkTap } from "./observe/sdk-tap.ts";
import type { Rig } from "./rig.ts";
import { portsOnNetwork } from "./surroundings/listening-ports.ts";

/** Everything that a test run needs besides its rig. */
interface TestBedOptions extends TestRunTask {
  title: string;
  /** Whether the test runs of other lanes are about to end. */
  othersEnd(): boolean;
  host: Host;
}

/** Seconds until the slot is free: the grace period, a second each for SIGTERM and SIGKILL, and the way to the default pose. */
const STOP_LIMIT_S = GRACE_PERIOD + 20;
/** Seconds of the way to the default pose after an app that the daemon did not start, and until the answer to it. */
const RETURN_S = 0.5;
const RETURN_LIMIT_S = 5;
/** Milliseconds that a robot which still moves has to reach its default pose. */
const LONGEST_RETURN_MS = 10_000;
/** Milliseconds in which helper processes may end after the main process. */
const HELPERS_END_MS = 1000;

/**
 * A rig with the app and an observation log, for one test run. Times are seconds from the start of the test run. Failures
 * of daemon and harness throw; what the app does is recorded in its app runs.
 */
export class TestBed {
  readonly options: TestBedOptions;
  readonly rig: Rig;
  readonly log: ObservationLog;
  readonly random: () => number;
  /** Facts that only this test run finds out. */
  readonly facts: Partial<Facts> = {};
  readonly #closeHandlers: (() => void)[] = [];
  readonly #processes: AppProcesses;

  /** @param otherPids process ids of other rigs of this process */
  constructor(rig: Rig, options: TestBedOptions, otherPids: readonly number[] = []) {
    this.rig = rig;
    this.#processes = new AppProcesses(rig, otherPids);
    this.options = options;
    this.random = seededRandom(options.seed);
    const mainProcess = (pid: number) => rig.appPython.mainProcess(pid);
    this.log = new ObservationLog(options.id, GRACE_PERIOD, options.host.now, mainProcess, this.#processes.find);
    this.log.injectedError = injectedErrorOf(rig.appPython.secret).name;
    this.log.tokens = rig.surroundings.tokens;
    rig.attach(this.log);
  }

  get tap(): SdkTap {
    return this.rig.tap;
  }

  /** Seconds from the start of the test run. */
  now(): number {
    return this.log.now();
  }

  /** Records what the harness does. */
  recordAction(text: string): void {
    this.log.recorder.action(this.options.host.now(), text);
  }

  /** Waits for a condition; Ctrl-C cancels. @throws Error after `seconds`; the host's signal's reason */
  waitFor<T>(seconds: number, what: string, condition: () => Promise<T | false | null> | T | false | null): Promise<T> {
    return waitFor(1000 * seconds, what, condition, this.options.host.signal);
  }

  /** Waits for a random time in seconds, drawn from the seed. */
  async randomDelay(shortest: number, longest: number): Promise<void> {
    const seconds = shortest + (longest - shortest) * this.random();
    await setTimeout(1000 * seconds, undefined, { signal: this.options.host.signal });
  }

  /** Starts the app in the slot. @throws HarnessError when the daemon refuses */
  async start(): Promise<LiveAppRun> {
    this.recordAction(`start ${this.options.app.name}`);
    const count = this.log.runs.length;
    this.rig.surroundings.begin();
    await this.post(`/api/apps/start-app/${this.options.app.name}`, STOP_LIMIT_S);
    return this.waitFor(5, "the daemon reports the start", () => this.log.runs[count] ?? null);
  }

  /**
   * Waits until the app reaches a milestone, for as long as an app may take to connect: `CONNECT_LIMIT` without the time in which
   * it waited for a processor before it connected, `LONGEST_START` with it.
   * @returns false when it has ended, or did not reach it in time
   */
  async waitForMilestone(run: LiveAppRun, milestone: Milestone): Promise<boolean> {
    const [since, waitedBefore] = [this.now(), run.startWaited];
    const reached = async () => {
      await this.readTraceMarkers(run);
      const isLate = this.now() - since - (run.startWaited - waitedBefore) >= CONNECT_LIMIT;
      return isLate || run.hasReached(milestone, this.now()) || run.hasEnded;
    };
    await this.waitFor(LONGEST_START, `the app is ${milestone}`, reached).catch(() =>
      this.options.host.signal.throwIfAborted(),
    );
    return run.hasReached(milestone, this.now()) && !run.hasEnded;
  }

  /** Lets the app run for some seconds, or until it ends. */
  async letRun(run: LiveAppRun, seconds: number): Promise<void> {
    const end = this.now() + seconds;
    await this.waitFor(seconds + 2, "time passes", () => run.hasEnded || this.now() >= end);
  }

  /** Lets an app end whose run() has returned or whose connections are closed, so that it is not asked for what it does by itself. */
  async letEnd(run: LiveAppRun): Promise<void> {
    await this.readTraceMarkers(run);
    if (run.runLeftAt !== null || run.disconnectedAt !== null) await this.letRun(run, EXIT_LIMIT);
  }

  /** Stops the app as the dashboard does, unless it has ended, and waits as `waitForEnd`. */
  async stop(run: LiveAppRun, cause: EndCause = "stop", beforeKill?: () => Promise<void>): Promise<void> {
    if (cause === "stop") await this.letEnd(run);
    if (!run.hasEnded) {
      await this.recordEndRequest(run, cause);
      // The daemon refuses when the app has just ended by itself.
      await this.request("POST", "/api/apps/stop-current-app", STOP_LIMIT_S);
    }
    await this.waitForEnd(run, beforeKill);
  }

  /** Records that the app is asked to end; call it right before the request. */
  async recordEndRequest(run: LiveAppRun, cause: EndCause): Promise<void> {
    await this.readTraceMarkers(run);
    this.#notePorts(run);
    run.requestEnd(cause, this.now(), this.log.usage);
    this.recordAction(`${ACTION_TEXTS[cause]} while the app is ${run.phase}`);
  }

  /**
   * Waits until the app has ended, its helper processes had time to end, and the robot is at its default pose or had time
   * to get there. Kills the processes that are left. After an app that the daemon did not start, the test bed moves the robot.
   * @param beforeKill is awaited before the processes that are left are killed
   * @throws Error when the app does not end
   */
  async waitForEnd(run: LiveAppRun, beforeKill?: () => Promise<void>): Promise<void> {
    await this.waitFor(STOP_LIMIT_S, "the daemon frees the slot", () => run.hasEnded);
    await this.readTraceMarkers(run);
    const motorsOn = () => this.log.state?.motorMode === "enabled";
    const atDefault = () =>
      motorsOn() && this.log.state?.move === null && (this.log.defaultPoseError() ?? 1) < DEFAULT_POSE_TOLERANCE;
    if (!run.isHosted) await this.#returnRobot();
    const watch = new DefaultPoseWatch(this.now());
    const hasReturned = () =>
      watch.isOver(this.now(), { isAtDefault: atDefault(), isMoving: this.log.state?.move !== null });
    await Promise.all([
      waitFor(LONGEST_RETURN_MS, "the robot is at its default pose", hasReturned, this.options.host.signal).catch(
        () => {},
      ),
      waitFor(HELPERS_END_MS, "no process is left", () => this.#processes.leftovers().length === 0).catch(() => {}),
    ]);
    this.options.host.signal.throwIfAborted();
    if (run.isHosted) {
      run.defaultPoseError = this.log.defaultPoseError();
      run.motorsOn = motorsOn();
    }
    await beforeKill?.();
    run.bytesWritten = await this.bytesWritten();
    for (const { kind, what } of this.rig.surroundings.findTrespasses()) run.addTrespass(kind, what);
    run.leftoverProcesses.push(...this.#processes.killLeftovers());
    this.#processes.endSandboxes();
  }

  /** The processes of the app that run now. */
  #pidsOf(run: LiveAppRun): number[] {
    const main = this.mainProcess(run);
    return main === null ? [] : this.#processes.find(ProcessTable.readSync(), main).map(({ pid }) => pid);
  }

  #notePorts(run: LiveAppRun): void {
    const { page } = this.options.app;
    for (const port of portsOnNetwork(this.#pidsOf(run)))
      if (port !== page?.port) run.addTrespass("port", `listens on port ${port} of the network`);
  }

  /** Moves the robot to its default pose, as the daemon does after apps that it has started. */
  async #returnRobot(): Promise<void> {
    await this.request("POST", "/api/move/goto", RETURN_LIMIT_S, gotoDefaultPose(RETURN_S)).catch(() => {});
  }

  /** Bytes of memory, and open descriptors, of all processes of the app; null when it is not known or has ended. */
  measure(run: LiveAppRun): { memory: number; descriptors: number } | null {
    const main = this.mainProcess(run);
    return main === null ? null : measureTree(main, this.#processes.find);
  }

  /** Bytes that the app takes on the disk, also in files that have no name any more. */
  bytesWritten(): Promise<number> {
    const { isolation, appFolder } = this.rig.options;
    return isolation.quota ? usedBytesOf(appFolder) : measureFolders(this.rig.appFolders.all);
  }

  /** The app's own main process; null while it has not started or when it is not known. */
  mainProcess({ pid }: LiveAppRun): number | null {
    return pid === null ? null : this.rig.appPython.mainProcess(pid);
  }

  /** Sends a signal to the app's own main process; one that has ended is no error. */
  signal(run: LiveAppRun, name: NodeJS.Signals): void {
    const pid = this.mainProcess(run);
    if (pid !== null) sendSignal(pid, name);
  }

  /** Declares a child of this process that is not the app's. */
  addOwnProcess(pid: number): void {
    this.#processes.addOwn(pid);
  }

  async readTraceMarkers(run: LiveAppRun): Promise<void> {
    const { pid } = run;
    if (pid === null) return;
    const { appPython } = this.rig;
    const secondsAt = (time: number) => this.log.recorder.secondsAt(time);
    // Under bubblewrap all main processes have the same id inside; the runs follow each other.
    const own = (await readTraceMarkers(appPython.traceFile, appPython.secret)).filter((marker) => {
      return appPython.isMainProcess(marker.pid, pid) && secondsAt(marker.time) >= run.startedAt;
    });
    run.addTraceMarkers(own, secondsAt);
  }

  /** Sends a request to the daemon, past the tap. */
  request(method: string, path: string, seconds?: number, body?: unknown): Promise<Response> {
    return requestDaemon(this.rig.daemon, { method, path, seconds, body, signal: this.options.host.signal });
  }

  /** Posts to the daemon, past the tap. @throws HarnessError for an answer other than success */
  async post(path: string, seconds?: number, body?: unknown): Promise<void> {
    await requireSuccess(path, await this.request("POST", path, seconds, body));
  }

  /** The record of the test run so far, for the verdict. */
  toTestRun(): TestRun {
    return this.log.recorder.toTestRun(this.options.id, this.options.title, this.options.host.now());
  }

  /** Registers a function that `close` calls. */
  onClose(handler: () => void): void {
    this.#closeHandlers.push(handler);
  }

  /** Ends everything that the test run has started itself; the rig stays. */
  close(): void {
    for (const handler of this.#closeHandlers) handler();
    this.#processes.endSandboxes();
    this.log.close();
  }
}
