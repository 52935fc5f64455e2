import type { AppProcessEvent, LogLine } from "../../../robot/wire/apps/app-events.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { CONNECT_LIMIT, LONGEST_START } from "../../test-runs/limits.ts";
import { TOO_BUSY } from "../host.ts";
import { defaultPoseError } from "./default-pose.ts";
import type { EventStreamListener } from "./event-stream.ts";
import { LiveAppRun } from "./live-app-run.ts";
import { type FindProcesses, ProcessTreeWatch } from "./process-tree-watch.ts";
import { type ProcessorUse, starvedSeconds } from "./processor-share.ts";
import { Recorder } from "./recorder.ts";
import type { TapListener } from "./sdk-tap.ts";
import type { SentCommand } from "./tap-reports.ts";

const WATCHDOG_PERIOD_MS = 100;
/** Milliseconds of a delay that is noted. */
const DELAY_MS = 10;
/** Milliseconds that harness or daemon may stand still. After 2000 the SDK takes the daemon for lost. */
const STALL_MS = 1500;
/** The share of its grace period for which an app that is judged by it may wait for a processor. */
const STARVED_SHARE = 0.4;
/** Milliseconds by which the wall clock may be set during a test run; all times of the evidence are by that clock. */
const CLOCK_STEP_MS = 250;

/** How the daemon begins what it says of one servo. */
const OF_ONE_SERVO = /^Servo \d+ /;
/** How the daemon says that no servo answers for a second. */
const NO_ANSWER = /^No answer from any servo /;

/**
 * Collects what the daemon, the tap and the process table report of the app during one test run: its app runs, and the
 * record for the verdict.
 */
export class ObservationLog implements EventStreamListener, TapListener {
  readonly recorder: Recorder;
  /** The runs of the app's process, the latest last. */
  readonly runs: LiveAppRun[] = [];
  state: RobotState | null = null;
  /** The first failure of robot, daemon or machine that is not part of the test run: it makes the evidence worthless. */
  harnessFailure: string | null = null;
  /** The class of the error that the trace instrument raises; null: its usual name. */
  injectedError: string | null = null;
  /** Texts that the app must not print. */
  tokens: readonly string[] = [];
  /** Whether servo faults and stalls of the daemon are part of the test run. */
  expectsFaults = false;
  readonly #testRun: string;
  readonly #gracePeriod: number;
  readonly #clock: () => number;
  readonly #mainProcess: (known: number) => number | null;
  readonly #findProcesses: FindProcesses | undefined;
  readonly #watchdog: NodeJS.Timeout;
  #lastTick: number;
  /** The wall clock minus the one that only goes forward, at the start. */
  readonly #clockOffset: number;
  #watch: ProcessTreeWatch | null = null;

  /**
   * @param gracePeriod seconds that the app has to end by itself once it was asked to
   * @param clock milliseconds since the Unix epoch
   * @param mainProcess the app's own main process, for the one that the daemon knows; null while it has not started
   * @param findProcesses finds all processes of the app; its main one and the descendants of that unless given
   * @param elapsed milliseconds of a clock that only goes forward
   */
  constructor(
    testRun: string,
    gracePeriod: number,
    clock: () => number,
    mainProcess: (known: number) => number | null = (known) => known,
    findProcesses: FindProcesses | undefined = undefined,
    elapsed: () => number = () => performance.now(),
  ) {
    this.recorder = new Recorder(clock());
    this.#testRun = testRun;
    this.#gracePeriod = gracePeriod;
    this.#clock = clock;
    this.#mainProcess = mainProcess;
    this.#findProcesses = findProcesses;
    this.#lastTick = clock();
    this.#clockOffset = clock() - elapsed();
    this.#watchdog = setInterval(() => {
      const now = clock();
      this.#checkForClockStep(now - elapsed() - this.#clockOffset);
      this.#checkForStall("harness", now - this.#lastTick);
      this.#noteDelay(now - this.#lastTick - WATCHDOG_PERIOD_MS);
      this.#lastTick = now;
    }, WATCHDOG_PERIOD_MS);
  }

  /** Seconds from the start of the test run. */
  now(): number {
    return this.recorder.secondsAt(this.#clock());
  }

  /** Adds a run of the app's process. */
  beginAppRun(): LiveAppRun {
    const run = new LiveAppRun(this.#testRun, this.now(), this.#gracePeriod);
    run.tokens = this.tokens;
    run.injectedError = this.injectedError ?? run.injectedError;
    this.runs.push(run);
    return run;
  }

  /** Begins to watch the process of a run and its descendants. */
  watchProcess(run: LiveAppRun, pid: number): void {
    run.pid = pid;
    this.#watch?.stop();
    this.#watch = new ProcessTreeWatch(
      () => this.#mainProcess(pid),
      (wait) => this.#checkForStarvation(run.noteWait({ at: performance.now(), ...wait }, this.now())),
      this.#findProcesses,
    );
  }

  /** Closes a run: its main process has exited. */
  endAppRun(run: LiveAppRun): void {
    run.exitedAt ??= this.now();
    run.hasEnded = true;
    this.#watch?.stop();
    this.#checkForSlowStart(run, run.exitedAt);
    this.#checkForSlowEnd(run);
  }

  /** What the app and its descendants have used of the processors so far, and their bytes of memory now and at most. */
  get usage(): ProcessorUse & { memory: number; memoryNow: number } {
    this.#watch?.sample();
    const { at = 0, cpu = 0, waits = new Map(), memory = 0, memoryNow = 0 } = this.#watch ?? {};
    return { at, cpu, waits: new Map(waits), memory, memoryNow };
  }

  close(): void {
    clearInterval(this.#watchdog);
    this.#watch?.stop();
  }

  /** Radians from the default pose, of the joint farthest from it; null before the first robot state. */
  defaultPoseError(): number | null {
    return this.state === null ? null : defaultPoseError(this.state);
  }

  onEvent(name: string, data: unknown): void {
    if (name === "slot") this.#onSlot(data as AppStatus);
    if (name === "robot") this.#onRobotEvent(data as RobotEvent);
    if (name === "log") this.#onLogLine(data as LogLine);
    if (name === "process") this.#onProcess(data as AppProcessEvent);
  }

  onState(state: RobotState): void {
    if (this.state !== null && !this.expectsFaults)
      this.#checkForStall("daemon", 1000 * (state.timestamp - this.state.timestamp));
    this.state = state;
    this.recorder.state(state);
  }

  onConnectAttempt(pid: number | null): void {
    const run = this.#runOf(pid);
    if (run) run.connectAttemptAt ??= this.now();
  }

  onConnect(pid: number | null, connection: number): void {
    const run = this.#runOf(pid);
    if (!run) return;
    run.connectedAt ??= this.now();
    run.connections += 1;
    run.openConnections.add(connection);
    run.disconnectedAt = null;
  }

  onDisconnect(pid: number | null, connection: number, byTap: boolean): void {
    const run = this.#runOf(pid);
    run?.openConnections.delete(connection);
    if (byTap) return;
    const latest = this.runs.at(-1);
    if (latest !== undefined) latest.connectionEnds[connection] = this.now();
    if (run && !run.hasEnded && run.openConnections.size === 0) run.disconnectedAt = this.now();
  }

  onCommand(command: SentCommand): void {
    this.runs.at(-1)?.commands.push({ t: this.now(), ...command });
  }

  onRequest(method: string, route: string): void {
    this.runs.at(-1)?.addTrespass("daemon", `sent ${method} ${route} to the daemon`);
  }

  onSound(pid: number | null, what: string): void {
    const run = this.#runOf(pid);
    if (run === undefined || run.sounds.includes(what)) return;
    run.sounds.push(what);
    this.recorder.robot(this.#clock(), { level: "info", message: `The app ${what}` });
  }

  #noteDelay(milliseconds: number): void {
    if (milliseconds < DELAY_MS) return;
    this.runs.at(-1)?.harnessDelays.push({ t: this.now(), seconds: milliseconds / 1000 });
  }

  /** On a machine too busy for the harness, a good app would look bad. */
  #checkForStall(who: string, milliseconds: number): void {
    if (milliseconds < STALL_MS) return;
    this.harnessFailure ??= `the ${who} stalled for ${(milliseconds / 1000).toFixed(1)} s: ${TOO_BUSY}`;
  }

  /** @param milliseconds of the last two seconds that the app has waited for a processor; null when it was not starved */
  #checkForStarvation(milliseconds: number | null): void {
    if (milliseconds === null) return;
    const seconds = (milliseconds / 1000).toFixed(1);
    this.harnessFailure ??= `the app waited for a processor for ${seconds} of 2 s: ${TOO_BUSY}`;
  }

  /** An app that did not connect and had less than its time to, because others had the processors. */
  #checkForSlowStart(run: LiveAppRun, exitedAt: number): void {
    const { connectedAt, startedAt, endRequestedAt, startWaited, starvedAtStart } = run;
    if (connectedAt !== null) return;
    const seconds = (endRequestedAt ?? exitedAt) - startedAt;
    if (seconds >= LONGEST_START && seconds - startWaited < CONNECT_LIMIT) {
      const waited = `waited for a processor for ${startWaited.toFixed(1)} of ${seconds.toFixed(1)} s`;
      this.harnessFailure ??= `the app did not connect, and ${waited}, so it had less than ${CONNECT_LIMIT} s: ${TOO_BUSY}`;
    }
    // An app that ends by itself can have had time limits of its own; what one with busy threads waited is not known.
    const hasNoAllowance = endRequestedAt === null || (seconds >= CONNECT_LIMIT && startWaited === 0);
    if (hasNoAllowance) this.#checkForStarvation(starvedAtStart);
  }

  /** An app that had to be killed, and did not have its grace period: others had the processors for a good part of it. */
  #checkForSlowEnd(run: LiveAppRun): void {
    const { useAtEndRequest: before } = run;
    if (before === null || !run.forceStopped) return;
    const waited = starvedSeconds(before, this.usage);
    if (waited < STARVED_SHARE * this.#gracePeriod) return;
    const seconds = `${waited.toFixed(1)} of the ${this.#gracePeriod} s that it has to end`;
    this.harnessFailure ??= `the app waited for a processor for ${seconds}: ${TOO_BUSY}`;
  }

  /** After a step, durations would be wrong and events out of order. */
  #checkForClockStep(milliseconds: number): void {
    if (Math.abs(milliseconds) <= CLOCK_STEP_MS) return;
    const seconds = (milliseconds / 1000).toFixed(1);
    this.harnessFailure ??= `the clock of this machine was set by ${seconds} s during the test run`;
  }

  #onRobotEvent(event: RobotEvent): void {
    this.recorder.robot(this.#clock(), event);
    const { kind, message, data } = event;
    // After a servo fault a move begins where the head has sunk to, which may be beyond the limits itself.
    const isBeyond =
      !this.expectsFaults && kind === "target_clipped" && (data.reason === "range" || data.reason === "reach");
    if (isBeyond && data.move === "recorded") this.runs.at(-1)?.clippedMoves.push({ t: this.now(), message });
    // A lost link to the robot is never part of a test run; a fault of one servo, and the state that it leads to, may be.
    const isExpected = this.expectsFaults && (event.kind === "fault" || OF_ONE_SERVO.test(event.message));
    if ((event.kind !== "fault" && event.kind !== "phase") || event.level !== "error" || isExpected) return;
    // A simulated bus loses nothing: no answer over an open link is a process that did not get a processor.
    this.harnessFailure ??= NO_ANSWER.test(event.message)
      ? `the simulated robot did not answer for a second: ${TOO_BUSY}`
      : `the simulated robot failed: ${event.message}`;
  }

  #onSlot(status: AppStatus): void {
    this.recorder.slot(this.#clock(), status);
    if (status.state === "starting") this.beginAppRun();
    const run = this.runs.at(-1);
    if (run !== undefined && (status.state === "done" || status.state === "error")) this.endAppRun(run);
  }

  #onLogLine({ time, from, text }: LogLine): void {
    if (from === "daemon") return;
    this.recorder.line(time, from, text);
    this.runs.at(-1)?.addLine(from, text);
  }

  #onProcess(event: AppProcessEvent): void {
    const run = this.runs.at(-1);
    if (run === undefined) return;
    if (event.what === "started") {
      this.watchProcess(run, event.pid);
      return;
    }
    if (event.pid !== run.pid) return;
    run.exitedAt = this.recorder.secondsAt(event.time);
    run.exit = { code: event.code, signal: event.signal };
    run.forced = event.forced;
    run.leftoverProcesses.push(...event.leftBehind.map(({ command }) => `${command} (ended by the daemon)`));
  }

  /** The latest run, unless the client names another process: that one is not the app's main process. */
  #runOf(pid: number | null): LiveAppRun | undefined {
    const run = this.runs.at(-1);
    return run !== undefined && (pid === null || run.pid === null || pid === run.pid) ? run : undefined;
  }
}
