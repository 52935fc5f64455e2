import type { LogLine } from "../../daemon/apps/app-events.ts";
import type { RobotEvent, RobotState } from "../../daemon/control/robot.ts";
import { INIT } from "../../robot/description/poses.ts";
import { legAngles } from "../../robot/kinematics/inverse.ts";
import type { AppStatus } from "../../robot/wire/apps.ts";
import { AppRun } from "./app-run.ts";
import type { Listener } from "./happenings.ts";
import { Recorder } from "./recorder.ts";
import type { TapListener } from "./sdk-tap.ts";
import { FamilyWatch } from "./watch-family.ts";

/** How often somebody looks whether the harness still moves. */
const PULSE_MS = 100;
/** Milliseconds without a sign of life of harness or daemon; after 2000 the SDK takes the daemon for gone. */
const STANDSTILL_MS = 1500;

const DEFAULT_JOINTS = [INIT.bodyYaw, ...legAngles(INIT.head, INIT.bodyYaw), ...INIT.antennas];

/** Takes down what the daemon, the tap and the process table tell of the app: its runs, and the record of the scene. */
export class Notes implements Listener, TapListener {
  readonly record: Recorder;
  /** The app's lives, the latest last. */
  readonly runs: AppRun[] = [];
  state: RobotState | null = null;
  /** The first failure of robot, daemon or machine that nobody had asked for: what is seen says nothing about the app. */
  disturbance: string | null = null;
  /** Whether faults belong to the scene. */
  expectsFaults = false;
  readonly #scene: string;
  readonly #grace: number;
  readonly #clock: () => number;
  readonly #pulse: NodeJS.Timeout;
  #beat: number;
  #watch: FamilyWatch | null = null;

  /**
   * @param grace seconds that the app has to end by itself
   * @param clock milliseconds since the Unix epoch
   */
  constructor(scene: string, grace: number, clock: () => number) {
    this.record = new Recorder(clock());
    this.#scene = scene;
    this.#grace = grace;
    this.#clock = clock;
    this.#beat = clock();
    this.#pulse = setInterval(() => {
      const now = clock();
      this.#gap("harness", now - this.#beat);
      this.#beat = now;
    }, PULSE_MS);
  }

  /** Seconds from the scene's start. */
  now(): number {
    return this.record.at(this.#clock());
  }

  /** The app begins a life. */
  begin(): AppRun {
    const run = new AppRun(this.#scene, this.now(), this.#grace);
    this.runs.push(run);
    return run;
  }

  /** Its process is known. */
  watch(run: AppRun, pid: number): void {
    run.pid = pid;
    this.#watch = new FamilyWatch(pid);
  }

  /** Nothing more is to come of this life; what is still there has hidden from whoever ended the rest. */
  end(run: AppRun): void {
    run.endedAt ??= this.now();
    run.isOver = true;
    run.leftovers.push(...this.endFamily());
  }

  /** What the app and its children have taken from the machine so far: seconds of processor time, bytes of memory. */
  get usage(): { cpu: number; memory: number } {
    this.#watch?.look();
    return { cpu: this.#watch?.cpu ?? 0, memory: this.#watch?.memory ?? 0 };
  }

  close(): void {
    clearInterval(this.#pulse);
    this.endFamily();
  }

  /** Kills what is left of the app; returns the command lines. */
  endFamily(): string[] {
    const left = this.#watch?.end() ?? [];
    for (const { pid } of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    return left.map(({ command }) => command);
  }

  /** Radians between a joint and its default place, of the joint farthest from it; null before the robot was seen. */
  offDefault(): number | null {
    if (this.state === null) return null;
    const { headJoints, antennas } = this.state;
    const off = [...headJoints, ...antennas].map((angle, joint) => Math.abs(angle - (DEFAULT_JOINTS[joint] as number)));
    return Math.max(...off);
  }

  onEvent(name: string, data: unknown): void {
    if (name === "slot") this.#slot(data as AppStatus);
    if (name === "robot") this.#robot(data as RobotEvent);
    if (name === "log") this.#line(data as LogLine);
  }

  onState(state: RobotState): void {
    if (this.state !== null) this.#gap("daemon", 1000 * (state.timestamp - this.state.timestamp));
    this.state = state;
    this.record.state(state);
  }

  onKnock(pid: number | null): void {
    const run = this.#runOf(pid);
    if (run) run.knockedAt ??= this.now();
  }

  onConnect(pid: number | null): void {
    const run = this.#runOf(pid);
    if (!run) return;
    run.connectedAt ??= this.now();
    run.connections += 1;
  }

  onCommand(pid: number | null, kind: string, text: string): void {
    this.runs.at(-1)?.commands.push({ t: this.now(), pid, kind, text });
  }

  /** A machine that is too busy for the harness would let an app look bad that is not. */
  #gap(who: string, milliseconds: number): void {
    if (milliseconds < STANDSTILL_MS || this.expectsFaults) return;
    this.disturbance ??= `the ${who} stood still for ${(milliseconds / 1000).toFixed(1)} s: the machine is too busy`;
  }

  #robot(event: RobotEvent): void {
    this.record.robot(this.#clock(), event);
    if (event.kind === "fault" && event.level === "error" && !this.expectsFaults)
      this.disturbance ??= `the simulated robot failed: ${event.message}`;
  }

  #slot(status: AppStatus): void {
    this.record.slot(this.#clock(), status);
    if (status.state === "starting") this.begin();
    const run = this.runs.at(-1);
    if (run !== undefined && (status.state === "done" || status.state === "error")) this.end(run);
  }

  #line({ time, from, text }: LogLine): void {
    const run = this.runs.at(-1);
    if (from !== "daemon") {
      this.record.line(time, from, text);
      run?.line(from, text);
      return;
    }
    if (run === undefined) return;
    const pid = /, process (\d+)$/.exec(text)?.[1];
    if (pid !== undefined) this.watch(run, Number(pid));
    const [, code, signal] = /^exited with code (\d+)|^ended by (SIG\w+)/.exec(text) ?? [];
    if (code !== undefined || signal !== undefined) {
      run.endedAt = this.record.at(time);
      run.exit = { code: code === undefined ? null : Number(code), signal: signal ?? null };
    }
    if (/^left \d+ processes behind|^processes .* do not even end/.test(text)) run.leftovers.push(text);
  }

  /** A client that names another process is not the app. */
  #runOf(pid: number | null): AppRun | undefined {
    const run = this.runs.at(-1);
    return run !== undefined && (pid === null || run.pid === null || pid === run.pid) ? run : undefined;
  }
}
