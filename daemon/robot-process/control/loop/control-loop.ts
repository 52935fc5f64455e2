import type { PreciseClock } from "../../../../common/time/clock.ts";
import type { Waypoint } from "../../../../robot/motion/trajectory/move.ts";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { InertialReading } from "../../../../robot/wire/robot/inertial-reading.ts";
import type { MotorMode } from "../../../../robot/wire/robot/robot-fields.ts";
import type { PreviousState } from "../../../robot-client/process/robot-process.ts";
import type { DiscoveredRobot } from "../../hardware/bring-up.ts";
import { RobotConnection } from "../../hardware/robot-connection.ts";
import { ConnectedRobot } from "../robot/connected-robot.ts";
import { InertialPoller } from "../robot/inertial-poller.ts";
import { measuredState } from "../robot/measured-state.ts";
import { findRewoundRobot, type RobotTime } from "../robot/rewound-robot.ts";
import { TouchSensors } from "../robot/touch-sensors.ts";
import { FixedRateLoop, type TickTime } from "./fixed-rate-loop.ts";
import { MoveRunner } from "./move-runner.ts";
import { PublishRate } from "./publish-rate.ts";
import { RefusedTargets } from "./refused-targets.ts";
import { ServoFaults } from "./servo-faults.ts";
import { type StateSnapshot, StatusReporter } from "./status-reporter.ts";
import { TargetStore } from "./target-store.ts";
import { WorkQueue } from "./work-queue.ts";

const PERIOD_MS = 10;
/** Periods from one published state, and from one touch sample, to the next: 50 Hz. */
const PUBLISH_EVERY = 2;
/**
 * Periods from one read of the joints to the next, and from one repetition of the goals to the next, while nothing drives
 * the robot. Motion begins in the next period all the same.
 */
const READ_EVERY_AT_REST = 2;
const READ_EVERY_ASLEEP = 4;
const REPEAT_EVERY_AT_REST = 10;
/**
 * Periods from one tick to the next while nobody watches a robot that has been at rest for a while. A touch of an antenna
 * that its motor holds shows in several samples; one without torque stays where it was pushed to.
 */
const TICK_EVERY_IDLE = 10;
const TICK_EVERY_IDLE_ASLEEP = 20;
/** Seconds: after a longer stall a move continues from where it was. */
const MAX_STEP = 0.05;

const REAL_TIME: RobotTime = { factor: 1, rewinds: 0 };

const ASLEEP: PreviousState = { awake: false, motorMode: "disabled" };

interface ControlLoopOptions {
  /** Opens the link to the robot; called again after it was lost. */
  open: () => Promise<ByteLink>;
  clock: PreciseClock;
  /** Reads the inertial sensor of a robot that has one. */
  readInertialSensor?: (() => Promise<InertialReading | null>) | undefined;
  /** How the time of a simulated robot passes. Default: in real time. */
  robotTime?: RobotTime | undefined;
  /** How the robot was when the process before this one was lost. Default: asleep. */
  previous?: PreviousState | undefined;
  /** Called when the robot is connected, and whenever it is connected again. */
  onConnected(): void;
}

/**
 * The 100 Hz loop. Everything that touches the bus happens inside its ticks, one after another: each tick reads the
 * joints, does the work that calls have queued, sends the next goals and checks the servos' health. While the robot is at
 * rest, most periods have no tick.
 */
export class ControlLoop {
  awake: boolean;
  readonly status: StatusReporter;
  readonly refusedTargets: RefusedTargets;
  /** Work of calls that has to run inside a tick. */
  readonly work = new WorkQueue<ConnectedRobot>(() => this.#loop.wake());
  readonly moves = new MoveRunner();
  readonly targets = new TargetStore(() => this.#loop.wake());
  readonly #clock: PreciseClock;
  readonly #robotTime: RobotTime;
  /** The rewinds of the simulated robot after which the servos were looked at. */
  #rewinds = 0;
  readonly #onRobotConnected: () => void;
  readonly #connection: RobotConnection;
  readonly #loop: FixedRateLoop;
  #touch = new TouchSensors();
  readonly #publishing = new PublishRate();
  readonly #inertial: InertialPoller;
  readonly #servoFaults: ServoFaults;
  #robot: ConnectedRobot | undefined;
  /** The motor mode to restore when the robot is connected again. */
  #modeToRestore: MotorMode;
  /** Periods since the start, up to the last read and up to the last repetition of the goals. */
  #periods = 0;
  #lastRead = 0;
  #lastRepeat = 0;
  #lastSample = 0;
  #isAtRest = true;
  /** The target that the last goals lead to. */
  #drivenTo: Waypoint | undefined;

  constructor({
    open,
    clock,
    readInertialSensor,
    robotTime = REAL_TIME,
    previous = ASLEEP,
    onConnected,
  }: ControlLoopOptions) {
    this.#inertial = new InertialPoller(readInertialSensor);
    this.#onRobotConnected = onConnected;
    this.awake = previous.awake;
    this.#modeToRestore = previous.motorMode;
    this.#clock = clock;
    this.#robotTime = robotTime;
    this.status = new StatusReporter(clock, () => this.#snapshot());
    const { status, moves, targets } = this;
    const disconnect = (why: string): void => this.#connection.drop(why);
    this.#servoFaults = new ServoFaults({ clock, status, moves, targets, disconnect });
    this.refusedTargets = new RefusedTargets(this.status, clock);
    this.#loop = new FixedRateLoop(clock, PERIOD_MS, (time) => this.#tick(time));
    this.#connection = new RobotConnection({
      open,
      clock,
      onConnected: (discovered) => this.#onConnected(discovered),
      onDisconnected: (why) => this.#onDisconnected(why),
    });
  }

  get isConnected(): boolean {
    return this.#robot !== undefined;
  }

  get isStopping(): boolean {
    return this.status.phase === "stopping" || this.status.phase === "stopped";
  }

  /** Whether anybody watches the state; without watchers, that of a robot at rest is published less often. */
  setWatched(watched: boolean): void {
    this.#publishing.isWatched = watched;
    this.#loop.wake();
  }

  start(): void {
    this.status.setPhase("starting");
    this.#connection.start();
    this.#loop.start();
  }

  /** Ends loop and link; goals and torque stay as they are. */
  async stop(): Promise<void> {
    this.refusedTargets.end();
    this.status.setPhase("stopping");
    await this.#loop.stop();
    await this.#connection.close();
    this.#detach("The daemon is shutting down.");
    this.status.setPhase("stopped");
  }

  /**
   * The robot, if it can be moved.
   *
   * @throws WorkbenchError `robot-not-ready`, `robot-fault` or `motors-off`
   */
  movableRobot(): ConnectedRobot {
    const { error, phase } = this.status;
    const robot = this.#robot;
    if (robot === undefined) throw new WorkbenchError("robot-not-ready", error ?? `The robot is ${phase}.`);
    if (error !== null) throw new WorkbenchError("robot-fault", error);
    const { mode } = robot.motors;
    if (mode === "enabled") return robot;
    const off = mode === "disabled" ? "The motors are off" : "The motors only hold the robot's weight";
    const next = "Wake the robot up or set the motor mode to enabled.";
    throw new WorkbenchError("motors-off", `${off} (mode ${mode}). ${next}`);
  }

  /**
   * Enables all motors without a jump and ends any fault: servos that have shut down are restarted first.
   * @throws WorkbenchError `robot-not-ready` when the robot is lost meanwhile
   */
  async enableMotors(robot: ConnectedRobot): Promise<void> {
    await this.changeTorque(robot, async () => {
      await this.#servoFaults.restartServos(robot);
      await robot.enableTorque();
    });
    if (this.#robot !== robot) throw new WorkbenchError("robot-not-ready", this.status.error ?? "The robot was lost.");
    this.status.setPhase("running");
  }

  /** Runs a change of torque and reports the motor mode that results. Joints that get torque stay where they are. */
  async changeTorque(robot: ConnectedRobot, change: () => Promise<void>): Promise<void> {
    const { mode: modeBefore, torque } = robot.motors;
    const torqueBefore = [...torque];
    await change();
    const { mode } = robot.motors;
    if (torque.some((on, joint) => on && !torqueBefore[joint])) this.targets.clear();
    if (mode !== "enabled") this.moves.end("cancelled");
    if (mode !== modeBefore) this.status.emit("motor_mode", "info", `Motor mode: ${mode}.`, { mode });
  }

  /** @returns the number of periods until the next tick */
  async #tick({ elapsedMs, periods }: TickTime): Promise<number> {
    const robot = this.#robot;
    this.#periods += periods;
    this.#isAtRest = this.#findAtRest(robot);
    if (robot !== undefined && (!this.#isAtRest || this.#periods - this.#lastRead >= readEveryAtRest(robot))) {
      this.#lastRead = this.#periods;
      const seconds = Math.min(elapsedMs / 1000, MAX_STEP);
      await this.#control(robot, seconds).catch((error: Error) => this.#onTickFailed(error));
    }
    if (this.#periods - this.#lastSample >= PUBLISH_EVERY) this.#sample(robot);
    if (!this.#findAtRest(robot)) return 1;
    const isIdle = this.#publishing.isIdle && !robot?.servos.missedReads.some((missed) => missed > 0);
    if (!isIdle) return PUBLISH_EVERY;
    return robot?.motors.mode === "disabled" ? TICK_EVERY_IDLE_ASLEEP : TICK_EVERY_IDLE;
  }

  /** Looks for touches and publishes the state, when it is due. */
  #sample(robot: ConnectedRobot | undefined): void {
    const periods = this.#periods - this.#lastSample;
    this.#lastSample = this.#periods;
    const touched = robot === undefined || !this.#isLive ? [] : this.#touch.sample(robot, this.#clock.now());
    for (const antenna of touched) {
      this.status.emit("antenna_touched", "info", `The ${antenna} antenna was touched.`, { antenna });
    }
    if (!this.#publishing.isDue(robot?.servos.position, this.#isAtRest, periods)) return;
    if (robot !== undefined) this.#inertial.poll();
    this.status.publish();
  }

  /** Whether nothing drives the robot: its goals have arrived at the last target, or it has no torque. */
  #findAtRest(robot: ConnectedRobot | undefined): boolean {
    if (robot === undefined || robot.motors.mode === "disabled") return !this.work.isWaiting;
    if (robot.motors.mode === "gravity_compensation" || robot.isOutsideWorkspace) return false;
    const { goal } = this.targets;
    const hasArrived = goal === undefined || (goal === this.#drivenTo && robot.hasSettled);
    return hasArrived && this.moves.current === null && !this.work.isWaiting;
  }

  /** Whether the robot's time passes, and goes on from where the goals that were sent last have led it. */
  get #isLive(): boolean {
    return this.#robotTime.factor > 0 && this.#robotTime.rewinds === this.#rewinds;
  }

  async #control(robot: ConnectedRobot, seconds: number): Promise<void> {
    await robot.servos.readPresent();
    await this.work.run(robot);
    if (this.#robotTime.factor === 0) {
      // The servos keep their goals, so that the robot goes on without a jump.
      this.#advanceMove(robot, seconds);
      return;
    }
    if (!this.#isLive) return this.#takeOver(robot);
    await this.#drive(robot, seconds);
    const findings = await robot.health.check(robot.motors.torque);
    // The same target leads joints back that have sunk.
    if (await this.#servoFaults.handle(findings, robot)) this.#drivenTo = undefined;
  }

  async #drive(robot: ConnectedRobot, seconds: number): Promise<void> {
    const { mode } = robot.motors;
    if (mode === "disabled" || robot.servos.isUnresponsive) return;
    if (mode === "gravity_compensation") return robot.compensateGravity();
    if (this.#isAtRest && this.#periods - this.#lastRepeat < REPEAT_EVERY_AT_REST) return;
    this.#lastRepeat = this.#periods;
    if (this.moves.current === null && this.targets.goal === undefined) return robot.repeatGoals();
    if (robot.isOutsideWorkspace) return robot.returnToWorkspace(seconds);
    const move = this.moves.current?.kind ?? null;
    this.#advanceMove(robot, seconds);
    const goal = this.targets.goal ?? robot.lastPosture;
    this.#drivenTo = this.targets.goal;
    const clipped = await robot.drive(
      this.targets.withOffset(goal),
      this.targets.automaticBodyYaw,
      seconds * this.#robotTime.factor,
    );
    if (clipped !== undefined) this.status.reportClip(clipped, move);
  }

  /** Moves go on in real time, as apps do, except the one that ends with the motors off: the head would fall. */
  #advanceMove(robot: ConnectedRobot, seconds: number): void {
    const passed = this.moves.current?.kind === "goto_sleep" ? seconds * this.#robotTime.factor : seconds;
    const step = this.moves.advance(passed, robot.lastPosture, robot.hasSettled);
    if (step !== undefined) this.targets.set(step.waypoint);
    for (const cue of step?.cues ?? []) this.status.emit("cue", "info", `Cue: ${cue}.`, { cue });
  }

  /** After a rewind the motors are as they were then. Goals lead the robot from there to the present target. */
  async #takeOver({ servos, motors }: ConnectedRobot): Promise<void> {
    this.#rewinds = this.#robotTime.rewinds;
    const modeBefore = motors.mode;
    try {
      this.#robot = await findRewoundRobot(servos.bus, this.#clock);
    } catch (error) {
      this.#connection.drop((error as Error).message);
      return;
    }
    this.#drivenTo = undefined;
    const { mode } = this.#robot.motors;
    this.awake = mode !== "disabled";
    if (mode !== "enabled") this.moves.end("cancelled");
    this.#servoFaults.clear();
    this.#touch = new TouchSensors();
    this.status.setPhase("running");
    if (mode === modeBefore) return;
    // The target is that of other motors: for example the sleep pose, for a robot that was awake then.
    this.targets.clear();
    this.status.emit("motor_mode", "info", `Motor mode: ${mode}.`, { mode });
  }

  /** A defect of this program must neither end the loop nor move the robot. */
  #onTickFailed(error: Error): void {
    this.targets.clear();
    this.moves.fail(error);
    this.status.emitThrottled("fault", "error", `The control loop failed and stays where it is: ${error.stack}`);
  }

  #onConnected(discovered: DiscoveredRobot): void {
    this.#robot = new ConnectedRobot(discovered, this.#clock);
    this.#rewinds = this.#robotTime.rewinds;
    this.#servoFaults.clear();
    this.targets.clear();
    this.work.open();
    for (const message of discovered.clearedErrors) this.status.emit("fault", "warning", message);
    this.status.setPhase("running");
    if (this.#modeToRestore === "enabled") this.work.add((robot) => this.enableMotors(robot)).catch(() => undefined);
    this.#onRobotConnected();
  }

  #onDisconnected(why: string): void {
    this.#detach(why);
    this.status.setPhase("error", why);
  }

  #detach(why: string): void {
    if (this.#robot !== undefined) this.#modeToRestore = this.#robot.motors.mode;
    this.#robot = undefined;
    this.work.close(why);
    this.moves.fail(new WorkbenchError("robot-not-ready", why));
  }

  #snapshot(): StateSnapshot {
    const { frequencyHz, periodP50Ms, periodP99Ms, missed } = this.#loop.statistics;
    const busErrors = this.#robot?.servos.bus.counters.lost ?? 0;
    return {
      ...(this.#robot === undefined ? { sent: null } : measuredState(this.#robot)),
      imu: this.#robot === undefined ? null : this.#inertial.reading,
      awake: this.awake,
      move: this.moves.current,
      loop: { frequencyHz, periodP50Ms, periodP99Ms, missed, busErrors },
    };
  }
}

const readEveryAtRest = ({ motors }: ConnectedRobot): number =>
  motors.mode === "disabled" ? READ_EVERY_ASLEEP : READ_EVERY_AT_REST;
