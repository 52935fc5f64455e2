import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { problemOf } from "../../robot/wire/errors.ts";
import type { MotorMode } from "../../robot/wire/robot.ts";
import { type Clock, sleep } from "../clock.ts";
import type { Before } from "./engine.ts";
import { LastingWorld } from "./lasting-world.ts";
import { Listeners } from "./listeners.ts";
import { Restarts } from "./restarts.ts";
import type { GotoRequest, MoveOutcome, Robot, RobotEvent, RobotState, Simulation, Target } from "./robot.ts";
import type { ProcessPlace, RobotProcess } from "./robot-process.ts";
import { blankState } from "./state.ts";

export interface LastingRobotOptions {
  begin: (place: ProcessPlace) => RobotProcess;
  simulated: boolean;
  clock: Clock;
}

const RESTART_DAEMON = "Restart the daemon: POST /api/daemon/restart, or Ctrl-C and start it again.";

/**
 * A robot that outlives its process. When that is lost, calls that wait reject with `robot-not-ready`, the phase is
 * `error`, and another process takes its place: it holds the robot where it is, if the motors were on, and goes on for
 * whoever moves it. A process that ends again and again is given up.
 */
export class LastingRobot implements Robot {
  state: RobotState;
  readonly simulation: Simulation | undefined;
  readonly #options: LastingRobotOptions;
  readonly #restarts = new Restarts();
  readonly #states = new Listeners<RobotState>();
  readonly #events = new Listeners<RobotEvent>();
  readonly #world: LastingWorld;
  readonly #closing = new AbortController();
  #process: RobotProcess;
  #restart: Promise<void> = Promise.resolve();
  #begunAt = 0;
  /** True once the present process has seen the robot. */
  #seen = false;
  /** True once any process has. */
  #everSeen = false;
  #before: Before = { awake: false, motorMode: "disabled" };
  #automaticBodyYaw: boolean | undefined;
  #guarded: { pid: number } | null = null;

  constructor(options: LastingRobotOptions) {
    this.#options = options;
    this.state = blankState(options.clock.unixTime() / 1000);
    this.#world = new LastingWorld(() => this.#process.simulation);
    this.simulation = options.simulated ? this.#world : undefined;
    this.#process = this.#begin();
  }

  /** As `RobotProcess.ready`, of the first process: one that does not come up is not started again. */
  async ready(signal: AbortSignal): Promise<void> {
    await this.#process.ready(signal);
    this.#everSeen = true;
  }

  onState(listener: (state: RobotState) => void): Unsubscribe {
    return this.#states.add(listener);
  }

  onEvent(listener: (event: RobotEvent) => void): Unsubscribe {
    return this.#events.add(listener);
  }

  setTarget(target: Target): void {
    this.#process.setTarget(target);
  }

  setAutomaticBodyYaw(enabled: boolean): void {
    this.#automaticBodyYaw = enabled;
    this.#process.setAutomaticBodyYaw(enabled);
  }

  guardApp(group: { pid: number } | null): void {
    this.#guarded = group;
    this.#process.guardApp(group);
  }

  goto(request: GotoRequest, id?: string): Promise<MoveOutcome> {
    return this.#process.goto(request, id);
  }

  wakeUp(id?: string): Promise<MoveOutcome> {
    return this.#process.wakeUp(id);
  }

  goToSleep(id?: string): Promise<MoveOutcome> {
    return this.#process.goToSleep(id);
  }

  returnToDefault(): Promise<MoveOutcome> {
    return this.#process.returnToDefault();
  }

  cancelMove(id?: string): Promise<boolean> {
    return this.#process.cancelMove(id);
  }

  setMotorMode(mode: MotorMode): Promise<void> {
    return this.#process.setMotorMode(mode);
  }

  setTorque(on: boolean, joints: readonly string[] | null): Promise<void> {
    return this.#process.setTorque(on, joints);
  }

  /** Always settles: a process that is lost meanwhile is told of by an event. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#restart;
    await this.#process.close().catch((error) => this.#tell("error", problemOf(error).detail));
    if (this.state.phase !== "stopped") this.#publish({ ...this.state, phase: "stopped", sent: null, move: null });
  }

  #begin(): RobotProcess {
    this.#seen = false;
    this.#begunAt = this.#options.clock.now();
    const process = this.#options.begin({
      before: this.#before,
      state: this.state,
      onLost: (how) => this.#lose(how),
    });
    process.onState((state) => this.#receive(state));
    process.onEvent((event) => this.#events.tell(event));
    process.simulation?.onScene((scene) => this.#world.scenes.tell(scene));
    return process;
  }

  /** Until a process has seen the robot, it is where the one before it saw it last. */
  #receive(state: RobotState): void {
    this.#seen ||= state.phase === "running";
    const { motorMode, headJoints, antennas, headPose } = this.state;
    this.#publish(this.#seen ? state : { ...state, motorMode, headJoints, antennas, headPose });
  }

  #publish(state: RobotState): void {
    this.state = state;
    this.#states.tell(state);
  }

  /** @returns what calls are refused with until the next process is there */
  #lose(how: string): string {
    if (this.#seen) this.#before = { awake: this.state.awake, motorMode: this.state.motorMode };
    if (this.#closing.signal.aborted) return `${how} The robot was not laid to rest.`;
    if (!this.#everSeen) return how;
    const { clock } = this.#options;
    const pause = this.#restarts.afterLoss(clock.now() - this.#begunAt);
    const next = pause === null ? `It keeps ending. ${RESTART_DAEMON}` : `Another is started in ${pause / 1000} s.`;
    const error = `${how} ${next}`;
    this.#publish({ ...this.state, phase: "error", sent: null, move: null, error });
    this.#tell("error", error);
    if (pause !== null) this.#restart = this.#beginAgain(pause);
    return error;
  }

  #tell(level: RobotEvent["level"], message: string): void {
    this.#events.tell({ kind: "phase", level, message, data: { phase: this.state.phase } });
  }

  /** Never rejects: a process that does not come up ends, and that is one more loss. */
  async #beginAgain(pauseMs: number): Promise<void> {
    const { signal } = this.#closing;
    await sleep(this.#options.clock, pauseMs, signal);
    if (signal.aborted) return;
    this.#process = this.#begin();
    this.#publish({ ...this.state, phase: "starting", error: null });
    this.#tell("info", "The robot's process is started again.");
    this.#process.guardApp(this.#guarded);
    if (this.#automaticBodyYaw !== undefined) this.#process.setAutomaticBodyYaw(this.#automaticBodyYaw);
    await this.#process.ready(signal).then(
      () => this.#world.restore(),
      () => undefined,
    );
  }
}
