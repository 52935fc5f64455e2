import { Emitter } from "../../../common/emitter.ts";
import { type Clock, sleep } from "../../../common/time/clock.ts";
import { problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import type { Scene } from "../../../robot/wire/scene/scene-frame.ts";
import { MessageFromRobotProcess } from "../messages.ts";
import { UnansweredCall } from "../rpc/pending-calls.ts";
import type { RpcClient } from "../rpc/rpc-client.ts";
import { unknownState } from "../unknown-state.ts";
import { RestartBackoff } from "./restart-backoff.ts";
import { type PreviousState, RobotProcess, type RobotProcessOptions } from "./robot-process.ts";
import { UNRESPONSIVE_MS, Watchdog } from "./watchdog.ts";

/** Milliseconds until the robot must have reported how it is: starting the physics on a busy machine takes seconds. */
const START_MS = 30_000;
const DEFAULT_WATCHDOG_MS = 3000;

/** Events that wait for the first listener; bring-up clears at most one error of each of nine servos. */
const EVENT_BACKLOG = 20;

const MOTORS_ON =
  "The robot was not put to sleep; its motors are still on. Start the daemon again, or turn the robot off.";
const RETURNS_LATER = "The robot returns to its default pose when it is back.";
const RESTART_DAEMON = "Restart the daemon: POST /api/daemon/restart, or Ctrl-C and start it again.";

/**
 * Keeps a robot process running. When one is lost, calls that wait reject with `robot-not-ready`, the phase is `error`,
 * and another is started: it holds the robot where it is, if the motors were on, and is given the kept calls. After too
 * many losses in a row no other is started. A process that stops responding is killed, and replaced like a lost one.
 */
export class RobotSupervisor {
  state: RobotState;
  readonly states = new Emitter<RobotState>();
  /** What happens before the daemon listens waits for it: errors that bring-up cleared, a supply above the servos' limit. */
  readonly events = new Emitter<RobotEvent>(EVENT_BACKLOG);
  readonly scenes = new Emitter<Scene>();
  readonly #options: RobotProcessOptions;
  readonly #clock: Clock;
  readonly #rpc: RpcClient;
  readonly #backoff = new RestartBackoff();
  readonly #closing = new AbortController();
  #process: RobotProcess;
  #watchdog: Watchdog;
  #restart: Promise<void> = Promise.resolve();
  #startedAt = 0;
  /** Whether the present process has had the robot running. */
  #hasRun = false;
  /** Whether the first process got ready; one that does not is not replaced. */
  #wasReady = false;
  /** What the robot process reported last before it stopped responding. */
  #beforeSilence: RobotState;
  /** Whether the last process was lost and no other one is started. */
  #isGivenUp = false;
  /** What the next process gets: state and torque as this one reported them last, the app's process group, and a return that is owed. */
  #previous: PreviousState = { awake: false, torque: null };

  constructor(options: RobotProcessOptions, rpc: RpcClient) {
    this.#options = options;
    this.#clock = options.clock;
    this.#rpc = rpc;
    this.state = unknownState(this.#clock.unixTime() / 1000);
    this.#beforeSilence = this.state;
    this.#watchdog = this.#newWatchdog();
    this.#process = this.#start();
  }

  /**
   * Resolves when the robot is running. A physical robot may also report why it is not (`state.phase` is then `error`),
   * and keeps retrying; a simulated one always gets ready.
   *
   * @throws WorkbenchError `robot-not-ready` when the process ends or takes longer than 30 s; it is then killed
   */
  async ready(signal: AbortSignal): Promise<void> {
    await this.#awaitReady(signal);
    this.#wasReady = true;
  }

  /** Begins an app's session in this process, or in the one that replaces it. */
  async beginAppSession(group: { pid: number }, call: () => Promise<void>): Promise<void> {
    this.#previous = { ...this.#previous, appGroup: group, isReturnOwed: false };
    this.#annotateError();
    await call().catch((error) => {
      if (!(error instanceof UnansweredCall)) throw error;
    });
  }

  /** Ends the app's session. If the process is lost meanwhile, the next one returns the robot to its default pose. */
  async endAppSession<T>(call: () => Promise<T>): Promise<T> {
    this.#previous = { ...this.#previous, appGroup: null };
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UnansweredCall) || error.code !== "robot-not-ready") throw error;
      this.#previous = { ...this.#previous, isReturnOwed: true };
      this.#annotateError();
      throw new UnansweredCall(error.code, this.#annotate(error.message));
    }
  }

  /**
   * Closes the robot and ends its process. Never rejects: when the process is lost meanwhile, or was lost before and its
   * replacement has not reached the robot, an event of level `error` says that the motors are still on.
   */
  async close(closeRobot: () => Promise<unknown>): Promise<void> {
    this.#closing.abort();
    await this.#restart;
    const { isConnected } = this.#rpc;
    const wasOpen = this.state.phase !== "stopped";
    if (isConnected) await closeRobot().catch((error) => this.#emit("phase", "error", problemOf(error).detail));
    if (wasOpen && !(isConnected && this.#hasRun) && this.#keepsTorque())
      this.#emit("phase", "error", `The daemon ended before the robot was reached again. ${MOTORS_ON}`);
    await this.#process.awaitExit();
    if (this.state.phase !== "stopped") this.#publish({ ...this.state, phase: "stopped", sent: null, move: null });
  }

  /** Whether the robot keeps its torque, against `atClose`, when no process puts it to sleep. */
  #keepsTorque(): boolean {
    return this.#options.atClose !== "stay" && this.state.motorMode !== "disabled";
  }

  #start(): RobotProcess {
    this.#hasRun = false;
    this.#startedAt = this.#clock.now();
    this.#watchdog = this.#newWatchdog();
    const process = new RobotProcess(this.#options, this.#previous, (message) => this.#receive(message));
    this.#rpc.connect((message) => process.send(message));
    void process.ended.then((how) => this.#lose(how));
    return process;
  }

  #newWatchdog(): Watchdog {
    const expiresAfterMs = this.#options.watchdogMs ?? DEFAULT_WATCHDOG_MS;
    const killed = `The robot's process did not respond for ${expiresAfterMs / 1000} s and was killed.`;
    return new Watchdog({
      clock: this.#clock,
      expiresAfterMs,
      onUnresponsive: () => this.#reportUnresponsive(expiresAfterMs),
      onResponsive: () => this.#reportResponsive(),
      onExpired: () => this.#process.kill(killed),
    });
  }

  #reportUnresponsive(expiresAfterMs: number): void {
    if (!this.#wasReady) return;
    const next = `It is restarted if it does not respond within ${expiresAfterMs / 1000} s.`;
    const error = `The robot's process has not responded for ${UNRESPONSIVE_MS / 1000} s. ${next}`;
    this.#beforeSilence = this.state;
    this.#publish({ ...this.state, phase: "error", sent: null, move: null, error });
    this.#emit("phase", "error", error);
  }

  /** Until its next state comes, the robot is as it was before the silence. */
  #reportResponsive(): void {
    if (!this.#wasReady) return;
    this.#publish(this.#beforeSilence);
    this.#emit("phase", "info", "The robot's process responds again.");
  }

  #receive(received: unknown): void {
    // Messages of a lost process may arrive after its end.
    if (!this.#rpc.isConnected) return;
    this.#watchdog.reset();
    const { data: message, error } = MessageFromRobotProcess.safeParse(received);
    if (message === undefined) this.#emit("fault", "error", `The robot process sent what cannot be read: ${error}`);
    else if (message.kind === "state") {
      for (const id of message.answered) this.#rpc.receive({ kind: "result", id, value: undefined });
      const { state, isReturnOwed, wantedTorque: torque } = message;
      this.#previous = { ...this.#previous, isReturnOwed, torque };
      this.#receiveState(state);
    } else if (message.kind === "event") this.events.emit(message.event);
    else if (message.kind === "scene") this.scenes.emit(message.scene);
    else this.#rpc.receive(message);
  }

  /** Until a new process has reached the robot, its joints are reported where the process before saw them last. */
  #receiveState(state: RobotState): void {
    this.#hasRun ||= state.phase === "running";
    // A robot that closes sends no more states; closing has a deadline of its own.
    if (state.phase === "stopping" || state.phase === "stopped") this.#watchdog.stop();
    const { motorMode, headJoints, antennas, headPose } = this.state;
    this.#publish(this.#hasRun ? state : { ...state, motorMode, headJoints, antennas, headPose });
  }

  #annotateError(): void {
    const { error } = this.state;
    if (error !== null) this.#publish({ ...this.state, error: this.#annotate(error) });
  }

  /** Says in an error that the robot will return, if it will. */
  #annotate(error: string): string {
    const plain = error.replace(` ${RETURNS_LATER}`, "");
    return this.#previous.isReturnOwed && !this.#isGivenUp ? `${plain} ${RETURNS_LATER}` : plain;
  }

  #publish(state: RobotState): void {
    this.state = state;
    this.states.emit(state);
  }

  #emit(kind: RobotEvent["kind"], level: RobotEvent["level"], message: string): void {
    this.events.emit({ kind, level, message, data: { phase: this.state.phase } });
  }

  async #awaitReady(signal: AbortSignal): Promise<void> {
    const process = this.#process;
    const phases: readonly RobotState["phase"][] = this.#options.link === "sim" ? ["running"] : ["running", "error"];
    const isReady = new AbortController();
    const unsubscribe = this.states.on(({ phase }) => {
      if (phases.includes(phase)) isReady.abort();
    });
    const deadline = sleep(this.#clock, START_MS, AbortSignal.any([isReady.signal, signal])).then(() =>
      signal.aborted
        ? "The start of the robot was cancelled."
        : `The robot did not get ready within ${START_MS / 1000} s.`,
    );
    const why = await Promise.race([process.ended, deadline]);
    unsubscribe();
    if (isReady.signal.aborted) return;
    isReady.abort();
    process.kill(why);
    throw new WorkbenchError("robot-not-ready", why);
  }

  #lose(how: string): void {
    this.#watchdog.stop();
    if (this.#hasRun) this.#previous = { ...this.#previous, awake: this.state.awake };
    if (this.state.phase === "stopped" || !this.#wasReady) this.#rpc.disconnect(how);
    else if (this.#closing.signal.aborted) this.#rpc.disconnect(this.#keepsTorque() ? `${how} ${MOTORS_ON}` : how);
    else this.#replace(how);
  }

  #replace(how: string): void {
    const delayMs = this.#process.wasStarted
      ? this.#backoff.afterLoss(this.#clock.now() - this.#startedAt)
      : this.#backoff.afterFailedStart();
    const next = delayMs === null ? `It keeps ending. ${RESTART_DAEMON}` : `Another is started in ${delayMs / 1000} s.`;
    this.#isGivenUp = delayMs === null;
    const error = this.#annotate(`${how} ${next}`);
    this.#publish({ ...this.state, phase: "error", sent: null, move: null, error });
    this.#emit("phase", "error", error);
    if (delayMs !== null) this.#restart = this.#startAgain(delayMs);
    this.#rpc.disconnect(error);
  }

  /** Never rejects: a process that does not get ready ends, and counts as one more loss. */
  async #startAgain(delayMs: number): Promise<void> {
    const { signal } = this.#closing;
    await sleep(this.#clock, delayMs, signal);
    if (signal.aborted) return;
    const process = this.#start();
    this.#process = process;
    this.#publish({ ...this.state, phase: "starting", error: null });
    this.#emit("phase", "info", "The robot's process is started again.");
    // A start that fails has killed the process: `close` must find it lost instead of calling it.
    await this.#awaitReady(signal).catch(() => process.ended);
  }
}
