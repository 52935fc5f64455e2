import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { seededRandom } from "../../sim/physics/random.ts";
import type { Facts } from "../evidence/evidence.ts";
import type { Ending } from "../evidence/run.ts";
import type { Scene } from "../verdict/verdict.ts";
import type { AppRun } from "./app-run.ts";
import type { AppUnderTest } from "./app-under-test.ts";
import type { DaemonUnderTest, DaemonWish } from "./daemon-under-test.ts";
import { type Happenings, listenTo } from "./happenings.ts";
import { HarnessError, type Host } from "./host.ts";
import { MARKS_VARIABLE, readMarks, URL_VARIABLE } from "./instrument.ts";
import { Notes } from "./notes.ts";
import { type RobotSim, spawnRobotSim } from "./robot-sim.ts";
import { SdkTap } from "./sdk-tap.ts";
import { spawnDaemon } from "./spawned-daemon.ts";
import { pass, within } from "./waiting.ts";

/** How a scene is set up besides what all have in common. */
export interface Setting {
  /** Makes the app the startup app, of a robot that is woken or left asleep. */
  startup?: "awake" | "asleep";
  /** Options of a robot-sim that stands in for the robot; the daemon simulates it itself unless given. */
  robotSim?: readonly string[];
}

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
  setting: Setting;
}

/** Seconds that an app has to end after SIGINT: the daemon's own default. */
export const GRACE = 5;
/** Beyond the grace period, SIGTERM and SIGKILL have a second each, and the robot needs to return. */
const STOP_S = GRACE + 20;
const READY_S = 45;
/** A robot that did not wake up on a busy machine is asked again. */
const WAKE_AGAIN_S = 6;
/** Radians that gravity and the servos' resolution leave between a pose and its place. */
export const AT_DEFAULT = 0.05;
const RETURN_MS = 5000;

/**
 * A simulated robot with a daemon and the app, all of a scene's own, and somebody who takes notes. Times are seconds
 * from its opening. Failures of daemon and harness throw; what the app does is noted in its runs.
 */
export class Stage {
  readonly options: StageOptions;
  readonly notes: Notes;
  readonly tap: SdkTap;
  readonly random: () => number;
  /** What only this kind of scene finds out. */
  readonly facts: Partial<Facts> = {};
  robotSim: RobotSim | null = null;
  readonly #ends: (() => void)[] = [];
  #tapUrl = "";
  #daemon: DaemonUnderTest | null = null;
  #happenings: Happenings | null = null;

  private constructor(options: StageOptions) {
    this.options = options;
    this.random = seededRandom(options.seed);
    this.notes = new Notes(options.id, GRACE, options.host.now);
    this.tap = new SdkTap(this.notes);
  }

  /** @throws HarnessError when daemon or robot do not get ready; the host's signal's reason */
  static async open(options: StageOptions): Promise<Stage> {
    const stage = new Stage(options);
    try {
      await stage.#open();
      // What went wrong before the app was there does not matter any more.
      stage.notes.disturbance = null;
      return stage;
    } catch (error) {
      await stage.close();
      options.host.signal.throwIfAborted();
      throw new HarnessError(`${(error as Error).message}\n${stage.daemonSaid()}`, { cause: error });
    }
  }

  /** Seconds from the scene's start. */
  now(): number {
    return this.notes.now();
  }

  get daemon(): DaemonUnderTest {
    if (this.#daemon === null) throw new HarnessError("the scene has no daemon yet");
    return this.#daemon;
  }

  /** The last that the daemon printed. */
  daemonSaid(): string {
    return this.#daemon?.output().trim().split("\n").slice(-4).join("\n") ?? "";
  }

  /** Folder for the app's temporary files. */
  get temporary(): string {
    return join(this.options.folder, "tmp");
  }

  /** What the app's process has in its environment besides the machine's own. */
  environment(): Record<string, string> {
    const marks = join(this.options.folder, "marks");
    return { [MARKS_VARIABLE]: marks, [URL_VARIABLE]: this.#tapUrl, TMPDIR: this.temporary };
  }

  /** Notes what the harness does. */
  act(text: string): void {
    this.notes.record.action(this.options.host.now(), text);
  }

  /** Waits, as `within`, for as long as nobody presses Ctrl-C. */
  until<T>(seconds: number, what: string, condition: () => Promise<T | false | null> | T | false | null): Promise<T> {
    return within(1000 * seconds, what, condition, this.options.host.signal);
  }

  /** Lets time pass, of a length that the seed decides. */
  moment(shortest: number, longest: number): Promise<void> {
    const seconds = shortest + (longest - shortest) * this.random();
    return pass(1000 * seconds, this.options.host.signal);
  }

  /** Starts the app in the slot. @throws HarnessError when the daemon refuses */
  async start(): Promise<AppRun> {
    this.act(`start ${this.options.app.name}`);
    const count = this.notes.runs.length;
    await this.post(`/api/apps/start-app/${this.options.app.name}`, STOP_S);
    return this.until(5, "the daemon tells of the start", () => this.notes.runs[count] ?? null);
  }

  /**
   * Waits until the app has come so far.
   * @returns false when it has ended, or did not get there in time
   */
  async reaches(run: AppRun, moment: "knockedAt" | "connectedAt" | "enteredAt", seconds: number): Promise<boolean> {
    const reached = async () => {
      await this.readMarks(run);
      return run[moment] !== null || run.isOver;
    };
    await this.until(seconds, `the app's ${moment}`, reached).catch(() => this.options.host.signal.throwIfAborted());
    return run[moment] !== null && !run.isOver;
  }

  /** Lets the app run for some seconds, or until it ends. */
  async leave(run: AppRun, seconds: number): Promise<void> {
    const end = this.now() + seconds;
    await this.until(seconds + 2, "time passes", () => run.isOver || this.now() >= end);
  }

  /** Stops the app as the dashboard does, unless it has ended, and waits until the robot had time to return. */
  async stop(run: AppRun, ending: Ending = "stop"): Promise<void> {
    if (!run.isOver) {
      await this.ask(run, ending);
      // A refusal means that the app has ended in this moment.
      await this.request("POST", "/api/apps/stop-current-app", STOP_S);
    }
    await this.over(run);
  }

  /** Notes that the app is asked to end, right before it is. */
  async ask(run: AppRun, ending: Ending): Promise<void> {
    await this.readMarks(run);
    run.ask(ending, this.now());
    this.act(`${ENDINGS[ending]} while the app is ${run.phase}`);
  }

  /** Waits until the app is gone and the robot had time to return. @throws HarnessError when it is never gone */
  async over(run: AppRun): Promise<void> {
    await this.until(STOP_S, "the daemon frees the slot", () => run.isOver);
    await this.readMarks(run);
    const held = () => this.notes.state?.motorMode === "enabled";
    const home = () => held() && this.notes.state?.move === null && (this.notes.offDefault() ?? 1) < AT_DEFAULT;
    await within(RETURN_MS, "the robot is back", home, this.options.host.signal).catch(() => {
      this.options.host.signal.throwIfAborted();
    });
    run.offDefault = this.notes.offDefault();
    run.held = held();
  }

  async readMarks(run: AppRun): Promise<void> {
    const marks = await readMarks(this.environment()[MARKS_VARIABLE] as string);
    run.take(marks, (time) => this.notes.record.at(time));
  }

  /** Asks the daemon, without the tap between. */
  async request(method: string, path: string, seconds = 10, body?: unknown): Promise<Response> {
    return fetch(`${this.daemon.url}${path}`, {
      method,
      signal: AbortSignal.any([this.options.host.signal, AbortSignal.timeout(1000 * seconds)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  }

  /** @throws HarnessError when it is not answered with success */
  async post(path: string, seconds?: number, body?: unknown): Promise<void> {
    const response = await this.request("POST", path, seconds, body);
    const text = await response.text();
    if (!response.ok) throw new HarnessError(`the daemon answered ${path} with ${response.status}: ${text}`);
  }

  /** What is worth showing of the scene so far. */
  scene(): Scene {
    return this.notes.record.scene(this.options.id, this.options.title, this.options.host.now());
  }

  /** Has something ended with the scene. */
  atEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Ends everything that the scene has started. */
  async close(): Promise<void> {
    this.#happenings?.close();
    for (const end of this.#ends) end();
    this.notes.close();
    this.tap.close();
    await this.#daemon?.close();
    await this.robotSim?.close();
  }

  async #open(): Promise<void> {
    const { folder, venv, app, setting, host } = this.options;
    const dataDir = join(folder, "data");
    await mkdir(dataDir, { recursive: true });
    await mkdir(this.temporary, { recursive: true });
    this.#tapUrl = await this.tap.open();
    if (setting.robotSim) this.robotSim = await spawnRobotSim("tcp", setting.robotSim);
    const wish: DaemonWish = {
      dataDir,
      venv,
      startupApp: setting.startup === undefined ? null : app.name,
      wakeUpOnStart: setting.startup !== "asleep",
      gracePeriod: GRACE,
      env: this.environment(),
      ...(this.robotSim === null ? {} : { serialport: this.robotSim.address }),
    };
    this.#daemon = await spawnDaemon(wish);
    this.tap.leadTo(this.#daemon.url);
    host.signal.throwIfAborted();
    this.#happenings = await listenTo(this.#daemon, this.notes);
    if (setting.startup !== "awake") await this.#ready(wish.wakeUpOnStart);
  }

  async #ready(awake: boolean): Promise<void> {
    let asked = this.now();
    await this.until(READY_S, "the robot is ready", async () => {
      const { phase, awake: isAwake, move } = this.notes.state ?? {};
      if (phase !== "running") return false;
      if (!awake || (isAwake && move === null)) return true;
      if (move === null && this.now() - asked > WAKE_AGAIN_S) {
        asked = this.now();
        await this.post("/api/move/play/wake_up");
      }
      return false;
    });
  }
}

const ENDINGS: Readonly<Record<Ending, string>> = {
  stop: "stop",
  "stop-event": "set the stop event, without a signal,",
  "second-sigint": "stop, with a second SIGINT to come,",
  error: "raise an error in run()",
  kill: "SIGKILL",
  "daemon-gone": "take the daemon away",
  "port-taken": "take the port of its page",
  "by-itself": "wait",
};
