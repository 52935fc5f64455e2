import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { LogLine } from "../../daemon/apps/app-events.ts";
import type { RobotEvent, RobotState } from "../../daemon/control/robot.ts";
import { INIT } from "../../robot/description/poses.ts";
import { legAngles } from "../../robot/kinematics/inverse.ts";
import type { AppStatus } from "../../robot/wire/apps.ts";
import { seededRandom } from "../../sim/physics/random.ts";
import type { Facts } from "../evidence/evidence.ts";
import type { Ending } from "../evidence/run.ts";
import type { Scene } from "../verdict/verdict.ts";
import { AppRun } from "./app-run.ts";
import type { AppUnderTest } from "./app-under-test.ts";
import type { DaemonUnderTest, DaemonWish } from "./daemon-under-test.ts";
import { type Happenings, listenTo } from "./happenings.ts";
import { HarnessError, type Host } from "./host.ts";
import { MARKS_VARIABLE, readMarks, URL_VARIABLE } from "./instrument.ts";
import { Recorder } from "./recorder.ts";
import { type RobotSim, spawnRobotSim } from "./robot-sim.ts";
import { SdkTap } from "./sdk-tap.ts";
import { spawnDaemon } from "./spawned-daemon.ts";
import { within } from "./waiting.ts";
import { FamilyWatch } from "./watch-family.ts";

/** What a scene needs before it can be played. */
export interface StageOptions {
  id: string;
  title: string;
  app: AppUnderTest;
  /** The apps' environment, with the instrument in it. */
  venv: string;
  /** A folder of the scene's own. */
  folder: string;
  /** All that is left to chance follows from it. */
  seed: number;
  /** True for the long form of scenes that have one. */
  thorough: boolean;
  host: Host;
  daemon?: Partial<Pick<DaemonWish, "startupApp" | "wakeUpOnStart">>;
  /** Options of a robot-sim that stands in for the robot; the daemon simulates it itself unless given. */
  robotSim?: readonly string[];
}

/** Seconds that an app has to end after SIGINT: the daemon's own default. */
export const GRACE = 5;
/** Beyond the grace period: SIGTERM and SIGKILL have a second each, and the robot needs to return. */
const STOP_MS = 1000 * (GRACE + 15);
const READY_MS = 30_000;
/** Radians that gravity and the servos' resolution leave between a pose and its place. */
const AT_DEFAULT = 0.05;
const RETURN_MS = 5000;

const DEFAULT_JOINTS = [INIT.bodyYaw, ...legAngles(INIT.head, INIT.bodyYaw), ...INIT.antennas];

/**
 * A simulated robot with a daemon and the app, all of a scene's own, and somebody who takes notes. Times are seconds
 * from its opening. Failures of daemon and harness throw; what the app does is noted in its runs.
 */
export class Stage {
  readonly options: StageOptions;
  readonly tap: SdkTap;
  readonly random: () => number;
  /** The app's lives, the latest last. */
  readonly runs: AppRun[] = [];
  /** What only this kind of scene finds out. */
  readonly facts: Partial<Facts> = {};
  robotSim: RobotSim | null = null;
  readonly #recorder: Recorder;
  readonly #marks: string;
  #daemon: DaemonUnderTest | null = null;
  #happenings: Happenings | null = null;
  #watch: FamilyWatch | null = null;
  #state: RobotState | null = null;

  private constructor(options: StageOptions) {
    this.options = options;
    this.random = seededRandom(options.seed);
    this.#recorder = new Recorder(options.host.now());
    this.#marks = join(options.folder, "marks");
    this.tap = new SdkTap({
      onKnock: (pid) => {
        const run = this.#runOf(pid);
        if (run) run.knockedAt ??= this.now();
      },
      onConnect: (pid) => {
        const run = this.#runOf(pid);
        if (run) run.connectedAt ??= this.now();
      },
      onCommand: (pid, kind, text) => this.runs.at(-1)?.commands.push({ t: this.now(), pid, kind, text }),
    });
  }

  /** @throws HarnessError when daemon or robot do not get ready; the host's signal's reason */
  static async open(options: StageOptions): Promise<Stage> {
    const stage = new Stage(options);
    try {
      await stage.#open();
      return stage;
    } catch (error) {
      await stage.close();
      options.host.signal.throwIfAborted();
      const output = stage.#daemon?.output().slice(-1000) ?? "";
      throw new HarnessError(`${(error as Error).message}\n${output}`.trim(), { cause: error });
    }
  }

  /** Seconds from the scene's start. */
  now(): number {
    return this.at(this.options.host.now());
  }

  at(time: number): number {
    return this.#recorder.at(time);
  }

  get daemon(): DaemonUnderTest {
    if (this.#daemon === null) throw new HarnessError("the scene has no daemon yet");
    return this.#daemon;
  }

  /** Folder for the app's temporary files. */
  get temporary(): string {
    return join(this.options.folder, "tmp");
  }

  /** What the app's process has in its environment besides the machine's own. */
  environment(): Record<string, string> {
    return { [MARKS_VARIABLE]: this.#marks, [URL_VARIABLE]: this.#tapUrl, TMPDIR: this.temporary };
  }

  /** Notes what the harness does. */
  act(text: string): void {
    this.#recorder.action(this.options.host.now(), text);
  }

  /** Waits, as `within`, for as long as nobody presses Ctrl-C. */
  until<T>(seconds: number, what: string, condition: () => Promise<T | false | null> | T | false | null): Promise<T> {
    return within(1000 * seconds, what, condition, this.options.host.signal);
  }

  /** Starts the app in the slot. @throws HarnessError when the daemon refuses */
  async start(): Promise<AppRun> {
    this.act(`start ${this.options.app.name}`);
    const count = this.runs.length;
    await this.post(`/api/apps/start-app/${this.options.app.name}`, STOP_MS);
    return this.until(5, "the daemon tells of the start", () => this.runs[count] ?? null);
  }

  /**
   * Waits until the app has come so far.
   * @returns false when it has ended, or did not get there in time
   */
  async reaches(run: AppRun, moment: "knockedAt" | "connectedAt" | "enteredAt" | "leftAt", seconds: number) {
    const reached = async () => {
      await this.#readMarks(run);
      return run[moment] !== null || run.isOver || null;
    };
    await this.until(seconds, `the app's ${moment}`, reached).catch(() => this.options.host.signal.throwIfAborted());
    await this.#readMarks(run);
    return run[moment] !== null && !run.isOver;
  }

  /** Stops the app as the dashboard does, and waits until the robot had time to return to its default pose. */
  async stop(run: AppRun): Promise<void> {
    await this.ask(run, "stop");
    await this.request("POST", "/api/apps/stop-current-app", STOP_MS).catch(() => {
      this.options.host.signal.throwIfAborted();
    });
    await this.over(run);
  }

  /** Notes that the app is asked to end, right before it is. */
  async ask(run: AppRun, ending: Ending): Promise<void> {
    await this.#readMarks(run);
    run.ask(ending, this.now());
    this.act(`${ENDINGS[ending]} while the app is ${run.phase}`);
  }

  /** Waits until the slot is free again and the robot had time to return. @throws HarnessError when that never comes */
  async over(run: AppRun): Promise<void> {
    await this.until(STOP_MS / 1000, "the daemon frees the slot", () => run.isOver);
    await this.#readMarks(run);
    const home = () => this.#state !== null && this.#state.move === null && this.#offDefault() < AT_DEFAULT;
    await within(RETURN_MS, "the robot is back", home, this.options.host.signal).catch(() => {
      this.options.host.signal.throwIfAborted();
    });
    run.offDefault = this.#state === null ? null : this.#offDefault();
  }

  async request(method: string, path: string, deadlineMs = 10_000, body?: unknown): Promise<Response> {
    return fetch(`${this.daemon.url}${path}`, {
      method,
      signal: AbortSignal.any([this.options.host.signal, AbortSignal.timeout(deadlineMs)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  }

  /** @throws HarnessError when it is not answered with success */
  async post(path: string, deadlineMs?: number, body?: unknown): Promise<void> {
    const response = await this.request("POST", path, deadlineMs, body);
    const text = await response.text();
    if (!response.ok) throw new HarnessError(`the daemon answered ${path} with ${response.status}: ${text}`);
  }

  /** What the app and its children have taken from the machine so far: seconds of processor time, bytes of memory. */
  get usage(): { cpu: number; memory: number } {
    this.#watch?.look();
    return { cpu: this.#watch?.cpu ?? 0, memory: this.#watch?.memory ?? 0 };
  }

  get state(): RobotState | null {
    return this.#state;
  }

  /** What is worth showing of the scene so far. */
  scene(): Scene {
    return this.#recorder.scene(this.options.id, this.options.title, this.options.host.now());
  }

  /** Ends everything that the scene has started. */
  async close(): Promise<void> {
    this.#happenings?.close();
    for (const { pid } of this.#watch?.end() ?? []) kill(pid);
    this.tap.close();
    await this.#daemon?.close();
    await this.robotSim?.close();
  }

  #tapUrl = "";

  async #open(): Promise<void> {
    const { folder, venv, daemon = {}, robotSim, host } = this.options;
    const { startupApp = null, wakeUpOnStart = true } = daemon;
    const dataDir = join(folder, "data");
    await mkdir(dataDir, { recursive: true });
    await mkdir(this.temporary, { recursive: true });
    this.#tapUrl = await this.tap.open();
    if (robotSim) this.robotSim = await spawnRobotSim("tcp", robotSim);
    const serialport = this.robotSim === null ? {} : { serialport: this.robotSim.address };
    const env = this.environment();
    this.#daemon = await spawnDaemon({
      dataDir,
      venv,
      startupApp,
      wakeUpOnStart,
      gracePeriod: GRACE,
      env,
      ...serialport,
    });
    this.tap.leadTo(this.#daemon.url);
    host.signal.throwIfAborted();
    this.#happenings = await listenTo(this.#daemon.url, {
      onEvent: (name, data) => this.#hear(name, data),
      onState: (state) => {
        this.#state = state;
        this.#recorder.state(state);
      },
    });
    const ready = () => {
      const { phase, motorMode, move } = this.#state ?? {};
      return phase === "running" && (!wakeUpOnStart || (motorMode === "enabled" && move === null));
    };
    if (startupApp === null || !wakeUpOnStart) await this.until(READY_MS / 1000, "the robot is ready", ready);
  }

  #hear(name: string, data: unknown): void {
    const time = this.options.host.now();
    if (name === "slot") this.#slot(time, data as AppStatus);
    if (name === "robot") this.#recorder.robot(time, data as RobotEvent);
    if (name === "log") this.#line(data as LogLine);
  }

  #slot(time: number, status: AppStatus): void {
    this.#recorder.slot(time, status);
    if (status.state === "starting") this.runs.push(new AppRun(this.options.id, this.at(time), GRACE));
    const run = this.runs.at(-1);
    if (run === undefined || (status.state !== "done" && status.state !== "error")) return;
    run.endedAt ??= this.at(time);
    run.isOver = true;
    // The daemon has ended all that it could find; what is still there has hidden from it.
    for (const { pid, command } of this.#watch?.end() ?? []) {
      run.leftovers.push(command);
      kill(pid);
    }
  }

  #line({ time, from, text }: LogLine): void {
    const run = this.runs.at(-1);
    if (from !== "daemon") {
      this.#recorder.line(time, from, text);
      run?.line(from, text);
      return;
    }
    if (run === undefined) return;
    const pid = /, process (\d+)$/.exec(text)?.[1];
    if (pid !== undefined) {
      run.pid = Number(pid);
      this.#watch = new FamilyWatch(run.pid);
    }
    const [, code, signal] = /^exited with code (\d+)|^ended by (SIG\w+)/.exec(text) ?? [];
    if (code !== undefined || signal !== undefined) {
      run.endedAt = this.at(time);
      run.exit = { code: code === undefined ? null : Number(code), signal: signal ?? null };
    }
    if (/^left \d+ processes? behind/.test(text)) run.leftovers.push(text);
    if (/^processes .* do not even end/.test(text)) run.leftovers.push(text);
  }

  /** A client that names no process, or another one, is not the app of the slot. */
  #runOf(pid: number | null): AppRun | undefined {
    const run = this.runs.at(-1);
    return run !== undefined && (pid === null || run.pid === null || pid === run.pid) ? run : undefined;
  }

  async #readMarks(run: AppRun): Promise<void> {
    run.take(await readMarks(this.#marks), (time) => this.at(time));
  }

  #offDefault(): number {
    const { headJoints, antennas } = this.#state as RobotState;
    const off = [...headJoints, ...antennas].map((angle, joint) => Math.abs(angle - (DEFAULT_JOINTS[joint] as number)));
    return Math.max(...off);
  }
}

const ENDINGS: Readonly<Record<Ending, string>> = {
  stop: "stop",
  "stop-event": "set the stop event, without a signal",
  "second-sigint": "stop, and send a second SIGINT",
  error: "raise an error in run()",
  kill: "SIGKILL",
  "daemon-gone": "take the daemon away",
  "port-taken": "take the port of the page",
  "by-itself": "wait",
};

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
