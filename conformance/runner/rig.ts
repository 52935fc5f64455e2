import { realpathSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { killProcessTree } from "../../common/machine/process-tree.ts";
import { removeTree } from "../../common/machine/remove-tree.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { accessToken } from "../../daemon/network/access-token.ts";
import { DEFAULT_DIALECT } from "../../robot/dialects/dialects.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import { type RobotSim, spawnRobotSim } from "../../sim/process/spawn-robot-sim.ts";
import { DEFAULT_POSE_TOLERANCE, GRACE_PERIOD } from "../test-runs/limits.ts";
import { dialectOf } from "./app/app-under-test.ts";
import { authorization, type DaemonHandle } from "./daemon/daemon-handle.ts";
import { requestDaemon } from "./daemon/request-daemon.ts";
import { spawnDaemon } from "./daemon/spawn-daemon.ts";
import { HarnessError, type Host } from "./host.ts";
import { AppPython } from "./isolation/app-python.ts";
import type { LaneSetup } from "./lane/messages.ts";
import { defaultPoseError } from "./observe/default-pose.ts";
import { type EventStream, openEventStream } from "./observe/event-stream.ts";
import type { ObservationLog } from "./observe/observation-log.ts";
import { SdkTap } from "./observe/sdk-tap.ts";
import { openScriptedProvider, type ScriptedProvider } from "./provider/provider.ts";
import { AppFolders, describeDataFolder } from "./rig-folders.ts";
import { Surroundings } from "./surroundings/surroundings.ts";

/** The part of the set-up in which test runs differ. */
export interface RigSetup {
  /** Makes the app the startup app; the robot is woken at the start or left asleep. */
  startup?: "awake" | "asleep";
  /** The daemon behaves as on the wireless robot; not for other dialects, whose SDKs expect its hardware then. */
  wireless?: true;
  /** Command-line options of a robot-sim in place of the robot; the daemon simulates the robot itself unless given. */
  robotSim?: readonly string[];
}

/** The folders are empty; the app may still be installed when the rig opens. */
interface RigOptions extends LaneSetup {
  setup: RigSetup;
  host: Host;
}

/** What the simulated camera sees while the robot looks ahead. */
const PICTURE = join(PACKAGE_FOLDER, "fixtures/camera/room.jpg");
const ROBOT_READY_LIMIT_S = 45;
/** Seconds after which the robot is asked to wake up again. */
const WAKE_RETRY_S = 6;

/** A simulated robot and a daemon, with the tap that the app connects through. One rig serves several test runs. */
export class Rig {
  readonly options: RigOptions;
  readonly tap: SdkTap;
  robotSim: RobotSim | null = null;
  /** Whether faults were injected from which the robot has not been seen to recover. */
  hasFaults = false;
  #tapUrl = "";
  /** The daemon's token, for the app of a wireless robot. */
  #appToken: string | null = null;
  #daemon: DaemonHandle | null = null;
  #events: EventStream | null = null;
  /** The log of the test run that it serves; null between test runs: what is observed then is dropped. */
  #log: ObservationLog | null = null;
  #state: RobotState | null = null;
  #dataFolder: string | null = null;
  #provider: ScriptedProvider | null = null;
  /** What the app may write to. */
  readonly appFolders: AppFolders;
  /** What the app shares with others. */
  readonly surroundings: Surroundings;
  /** The Python that starts the app. */
  readonly appPython: AppPython;

  private constructor(options: RigOptions) {
    const { folder, venv, app, appFolder, isolation, host } = options;
    this.options = options;
    this.tap = new SdkTap(() => this.#log);
    this.appFolders = new AppFolders(appFolder);
    const { home, temporary, work, elsewhere } = this.appFolders;
    const isSandboxed = isolation.bubblewrap !== null;
    this.surroundings = new Surroundings({
      venv: realpathSync(venv),
      folder: join(appFolder, "shared"),
      home,
      names: [app.name],
      authorHome: isSandboxed ? null : (host.env.HOME ?? null),
      writable: [home, temporary, work, elsewhere],
      isSandboxed,
    });
    this.appPython = new AppPython({
      folder: join(folder, "python"),
      venv,
      folders: this.appFolders,
      isolation,
      surroundings: this.surroundings,
      env: host.env,
    });
    this.tap.translatePid = (pid) => this.appPython.knownProcess(pid);
  }

  /** @throws HarnessError when daemon or robot do not get ready; the host's signal's reason */
  static async open(options: RigOptions): Promise<Rig> {
    const rig = new Rig(options);
    try {
      await rig.#open();
      return rig;
    } catch (error) {
      const output = rig.daemonOutputTail();
      rig.close();
      options.host.signal.throwIfAborted();
      throw new HarnessError(`${(error as Error).message}\n${output}`, { cause: error });
    }
  }

  get daemon(): DaemonHandle {
    if (this.#daemon === null) throw new HarnessError("the rig has no daemon yet");
    return this.#daemon;
  }

  /** The latest state of the robot. */
  get state(): RobotState | null {
    return this.#state;
  }

  /** The processes of the rig itself. */
  get pids(): number[] {
    return [this.#daemon?.pid, this.robotSim?.pid].flatMap((pid) => pid ?? []);
  }

  get #dataDir(): string {
    return join(this.options.folder, "data");
  }

  /** The last lines that the daemon printed. */
  daemonOutputTail(): string {
    return this.#daemon?.output().trim().split("\n").slice(-4).join("\n") ?? "";
  }

  /** Sends everything that is observed from now on to the log of a test run. */
  attach(log: ObservationLog): void {
    this.#log = log;
    log.state = this.#state;
  }

  /** What a browser sends that the daemon of a wireless robot has signed in. */
  get pageHeaders(): Record<string, string> {
    return authorization(this.#appToken);
  }

  /** Loads the trace instrument into the app from now on, or no longer. */
  instrument(instrumented: boolean): void {
    const variables = this.#provider?.variables ?? {};
    this.appPython.configure({ daemonUrl: this.#tapUrl, token: this.#appToken, instrumented, variables });
  }

  /**
   * Deletes what the app has left in its folders, and returns whether the rig is as it was: the slot is free, the robot is
   * awake in its default pose without a move or a fault, no client is connected, and the daemon keeps nothing of the app.
   */
  async reset(): Promise<boolean> {
    this.#log = null;
    if (this.hasFaults) return false;
    try {
      await this.emptyAppFolders();
      const isIdle = () => this.tap.isIdle && this.#robotIsReady(true);
      await waitFor(2000, "the rig is idle", isIdle, this.options.host.signal);
      return (await this.#slotIsFree()) && (await describeDataFolder(this.#dataDir)) === this.#dataFolder;
    } catch {
      this.options.host.signal.throwIfAborted();
      return false;
    }
  }

  /** Kills everything that the rig has started. The robot is simulated, so it needs no shutdown. */
  close(): void {
    this.#events?.close();
    this.tap.close();
    this.#provider?.close();
    for (const pid of this.pids) killProcessTree(pid);
  }

  /**
   * Ends everything, and deletes what the app has written: all rigs of a lane share one file system, and on a full one the app
   * of the next rig could write nothing.
   */
  async discard(): Promise<void> {
    this.close();
    await removeTree(this.options.appFolder).catch(() => {});
  }

  async #open(): Promise<void> {
    const { app, setup, isolation, host } = this.options;
    const dataDir = this.#dataDir;
    await mkdir(dataDir, { recursive: true });
    await this.emptyAppFolders();
    await symlink(this.appFolders.work, join(dataDir, "work"));
    // Some SDKs look for the daemon at one port only.
    this.#tapUrl = await this.tap.open(dialectOf(app).fixedPort ?? 0);
    const wireless = setup.wireless === true && dialectOf(app) === DEFAULT_DIALECT;
    if (wireless) this.#appToken = await accessToken(dataDir);
    if (isolation.provider === true) this.#provider = await openScriptedProvider();
    this.instrument(false);
    if (setup.robotSim) this.robotSim = await spawnRobotSim("tcp", setup.robotSim);
    const wakeUpOnStart = setup.startup !== "asleep";
    this.#daemon = await spawnDaemon({
      dataDir,
      venv: this.appPython.venv,
      startupApp: setup.startup === undefined ? null : app.name,
      wakeUpOnStart,
      wireless,
      // A token that only the tap knows: an app that finds the daemon's own port cannot use it past the tap.
      listenOnAllAddresses: isolation.network,
      gracePeriod: GRACE_PERIOD,
      // A robot behind a port has no camera that the daemon knows; an app that looks needs one in every test run.
      ...(this.robotSim === null ? {} : { serialport: this.robotSim.address, camera: PICTURE }),
    });
    this.tap.forwardTo(this.#daemon.url, this.#daemon.token);
    host.signal.throwIfAborted();
    this.#events = await openEventStream(this.#daemon, {
      onEvent: (name, data) => this.#log?.onEvent(name, data),
      onState: (state) => {
        this.#state = state;
        this.#log?.onState(state);
      },
    });
    if (setup.startup !== "awake") await this.#waitForRobot(wakeUpOnStart);
    this.#dataFolder = await describeDataFolder(this.#dataDir);
  }

  /** Deletes what the app has written. */
  async emptyAppFolders(): Promise<void> {
    await rm(this.appPython.traceFile, { force: true });
    await this.appFolders.empty();
  }

  async #waitForRobot(awake: boolean): Promise<void> {
    let requestedAt = performance.now();
    const ready = async () => {
      if (this.#robotIsReady(awake)) return true;
      const { phase, move } = this.state ?? {};
      if (phase === "running" && move === null && performance.now() - requestedAt > 1000 * WAKE_RETRY_S) {
        requestedAt = performance.now();
        await this.#request("/api/move/play/wake_up", "POST");
      }
      return false;
    };
    await waitFor(
      1000 * ROBOT_READY_LIMIT_S,
      awake ? "the robot stands in its default pose" : "the robot is ready",
      ready,
      this.options.host.signal,
    );
  }

  /**
   * Whether an app may start: an awake robot stands in its default pose. A move counts as finished a second after its time, also
   * where the legs lock each other and the head stays where it is, as seen after wake-ups on a busy machine.
   */
  #robotIsReady(awake: boolean): boolean {
    const { state } = this;
    if (state?.phase !== "running") return false;
    const stands = state.awake && state.move === null && state.motorMode === "enabled";
    return !awake || (stands && defaultPoseError(state) < DEFAULT_POSE_TOLERANCE);
  }

  async #slotIsFree(): Promise<boolean> {
    const answer = await this.#request("/api/apps/current-app-status");
    const status = (await answer.json()) as { state: string } | null;
    return status === null || status.state === "done" || status.state === "error";
  }

  #request(path: string, method = "GET"): Promise<Response> {
    return requestDaemon(this.daemon, { method, path, seconds: 5, signal: this.options.host.signal });
  }
}
