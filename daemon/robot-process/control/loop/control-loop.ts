import type { PreciseClock } from "../../../../common/time/clock.ts";
import type { Waypoint } from "../../../../robot/motion/trajectory/move.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { InertialReading } from "../../../../robot/wire/robot/inertial-reading.ts";
import type { PreviousState } from "../../../robot-client/process/robot-process.ts";
import type { DiscoveredRobot } from "../../hardware/bring-up.ts";
import { RobotConnection } from "../../hardware/robot-connection.ts";
import { ConnectedRobot } from "../robot/connected-robot.ts";
import { InertialPoller } from "../robot/inertial-poller.ts";
import { TouchSensors } from "../robot/touch-sensors.ts";
import type { RobotOptions } from "../robot-options.ts";
import { FixedRateLoop, type TickTime } from "./fixed-rate-loop.ts";
import { MoveRunner } from "./move-runner.ts";
import { PublishRate } from "./publish-rate.ts";
import { RefusedTargetReporter } from "./refused-target-reporter.ts";
import { Rewinds } from "./rewinds.ts";
import { ServoFaults } from "./servo-faults.ts";
import { type StateSnapshot, StatusReporter } from "./status-reporter.ts";
import { TargetStore } from "./target-store.ts";
import { TickRates } from "./tick-rates.ts";
import { TorqueChanges } from "./torque-changes.ts";
import { WorkQueue } from "./work-queue.ts";

const PERIOD_MS = 10;
/** Seconds: after a longer stall a move continues from where it was. */
const MAX_STEP = 0.05;

const ASLEEP: PreviousState = { awake: false, torque: null };

interface ControlLoopOptions extends Pick<RobotOptions, "open" | "clock" | "robotTime" | "previous"> {
  /** Reads the inertial sensor of a robot that has one. */
  readInertialSensor: (() => Promise<InertialReading | null>) | undefined;
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
  readonly refusedTargets: RefusedTargetReporter;
  /** Work of calls that has to run inside a tick. */
  readonly work = new WorkQueue<ConnectedRobot>(() => this.#loop.wake());
  readonly moves = new MoveRunner();
  readonly targets = new TargetStore(() => this.#loop.wake());
  readonly torque: TorqueChanges;
  readonly #clock: PreciseClock;
  readonly #onRobotConnected: () => void;
  readonly #connection: RobotConnection;
  readonly #loop: FixedRateLoop;
  #touch = new TouchSensors();
  readonly #publishing = new PublishRate();
  readonly #inertial: InertialPoller;
  readonly #servoFaults: ServoFaults;
  readonly #rewinds: Rewinds;
  readonly #rates = new TickRates();
  #robot: ConnectedRobot | undefined;
  #isAtRest = true;
  /** The target that the last goals lead to. */
  #drivenTo: Waypoint | undefined;

  constructor({ open, clock, readInertialSensor, robotTime, previous = ASLEEP, onConnected }: ControlLoopOptions) {
    this.#inertial = new InertialPoller(readInertialSensor);
    this.#onRobotConnected = onConnected;
    this.awake = previous.awake;
    this.#clock = clock;
    this.status = new StatusReporter(clock, () => this.#snapshot());
    const { status, moves, targets } = this;
    const disconnect = (why: string): void => this.#connection.drop(why);
    const parts = { clock, status, moves, targets, disconnect };
    const servoFaults = new ServoFaults({ ...parts, onStopped: (joint) => this.torque.leaveOut([joint]) });
    this.#servoFaults = servoFaults;
    this.#rewinds = new Rewinds({ ...parts, servoFaults, robotTime });
    const isConnected = (robot: ConnectedRobot): boolean => this.#robot === robot;
    this.torque = new TorqueChanges({ ...parts, work: this.work, servoFaults, isConnected }, previous.torque);
    this.refusedTargets = new RefusedTargetReporter(this.status, clock);
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
    if (this.#robot === undefined) throw new WorkbenchError("robot-not-ready", error ?? `The robot is ${phase}.`);
    if (error !== null) throw new WorkbenchError("robot-fault", error);
    const { mode } = this.#robot.motors;
    if (mode === "enabled") return this.#robot;
    const off = mode === "disabled" ? "The motors are off" : "The motors only hold the robot's weight";
    const next = "Wake the robot up or set the motor mode to enabled.";
    throw new WorkbenchError("motors-off", `${off} (mode ${mode}). ${next}`);
  }

  /** @returns the number of periods until the next tick */
  async #tick({ elapsedMs, periods }: TickTime): Promise<number> {
    const robot = this.#robot;
    this.#rates.pass(periods);
    this.#isAtRest = this.#findAtRest(robot);
    if (robot !== undefined && this.#rates.takeRead(robot, this.#isAtRest)) {
      const seconds = Math.min(elapsedMs / 1000, MAX_STEP);
      await this.#control(robot, seconds).catch((error: Error) => this.#onTickFailed(error));
    }
    const sampled = this.#rates.takeSample();
    if (sampled > 0) this.#sample(robot, sampled);
    return this.#findAtRest(robot) ? this.#rates.untilNextAtRest(robot, this.#publishing.isIdle) : 1;
  }

  /** Looks for touches and publishes the state, when it is due. @param periods since the last sample */
  #sample(robot: ConnectedRobot | undefined, periods: number): void {
    const touched = robot === undefined || !this.#rewinds.isLive ? [] : this.#touch.sample(robot, this.#clock.now());
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

  async #control(robot: ConnectedRobot, seconds: number): Promise<void> {
    await robot.servos.readPresent();
    await this.work.run(robot);
    if (this.#rewinds.factor === 0) {
      // The servos keep their goals, so that the robot goes on without a jump.
      this.#advanceMove(robot, seconds);
      return;
    }
    if (!this.#rewinds.isLive) return this.#rewinds.takeOver(robot, (rewound) => this.#onRewound(rewound));
    await this.#drive(robot, seconds);
    const findings = await robot.health.check(robot.motors.torque);
    // The same target leads joints back that have sunk.
    if (await this.#servoFaults.handle(findings, robot)) this.#drivenTo = undefined;
  }

  async #drive(robot: ConnectedRobot, seconds: number): Promise<void> {
    const { mode } = robot.motors;
    if (mode === "disabled" || robot.servos.isUnresponsive) return;
    if (mode === "gravity_compensation") return robot.compensateGravity();
    if (!this.#rates.takeRepetition(this.#isAtRest)) return;
    if (this.moves.current === null && this.targets.goal === undefined) return robot.repeatGoals();
    if (robot.isOutsideWorkspace) return robot.returnToWorkspace(seconds);
    const move = this.moves.current?.kind ?? null;
    this.#advanceMove(robot, seconds);
    const goal = this.targets.goal ?? robot.lastPosture;
    this.#drivenTo = this.targets.goal;
    const clipped = await robot.drive(
      this.targets.withOffset(goal),
      this.targets.automaticBodyYaw,
      seconds * this.#rewinds.factor,
    );
    if (clipped !== undefined) this.status.reportClip(clipped, move);
  }

  /** Moves go on in real time, as apps do, except the one that ends with the motors off: the head would fall. */
  #advanceMove(robot: ConnectedRobot, seconds: number): void {
    const passed = this.moves.current?.kind === "goto_sleep" ? seconds * this.#rewinds.factor : seconds;
    const step = this.moves.advance(passed, robot.lastPosture, robot.hasSettled);
    if (step !== undefined) this.targets.set(step.waypoint);
    for (const cue of step?.cues ?? []) this.status.emit("cue", "info", `Cue: ${cue}.`, { cue });
  }

  #onRewound(robot: ConnectedRobot): void {
    this.#robot = robot;
    this.torque.leaveAsIs(robot);
    this.#drivenTo = undefined;
    this.awake = robot.motors.mode !== "disabled";
    this.#touch = new TouchSensors();
  }

  /** A defect of this program must neither end the loop nor move the robot. */
  #onTickFailed(error: Error): void {
    this.targets.clear();
    this.moves.fail(error);
    this.status.emitThrottled("fault", "error", `The control loop failed and stays where it is: ${error.stack}`);
  }

  #onConnected(discovered: DiscoveredRobot): void {
    const robot = new ConnectedRobot(discovered, this.#clock);
    this.#robot = robot;
    this.#rewinds.catchUp();
    this.#servoFaults.clear();
    this.targets.clear();
    this.work.open();
    this.torque.leaveOut(discovered.jointsShutDown);
    for (const message of discovered.clearedErrors) this.status.emit("fault", "warning", message);
    this.status.setPhase("running");
    void this.torque.onConnected(robot);
    this.#onRobotConnected();
  }

  #onDisconnected(why: string): void {
    this.#detach(why);
    this.status.setPhase("error", why);
  }

  #detach(why: string): void {
    this.torque.onDisconnected();
    this.#robot = undefined;
    this.work.close(why);
    this.moves.fail(new WorkbenchError("robot-not-ready", why));
  }

  #snapshot(): StateSnapshot {
    const { frequencyHz, periodP50Ms, periodP99Ms, missed } = this.#loop.statistics;
    const busErrors = this.#robot?.servos.bus.lostAnswers ?? 0;
    return {
      ...(this.#robot === undefined ? { sent: null } : this.#robot.measuredState()),
      imu: this.#robot === undefined ? null : this.#inertial.reading,
      awake: this.awake,
      move: this.moves.current,
      loop: { frequencyHz, periodP50Ms, periodP99Ms, missed, busErrors },
    };
  }
}
