import { advanceUntil, advanceUntilSettled, ManualClock } from "../../../../common/time/manual-clock.ts";
import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { SimulatedRobot } from "../../../../sim/robot.ts";
import type { MotorsByModel } from "../../../../sim/servos/motor/motor-parameters.ts";
import { RobotController } from "../robot-controller.ts";
import { type IdealRobot, type SimulatedDevice, SimulatedLink } from "./simulated-link.ts";

/** With a robot in the physics engine, which takes many times as long. */
export type PhysicalHarness = Harness<SimulatedRobot>;

/** A robot and its simulation on one manual clock: simulated seconds pass as fast as they can be computed. */
export class Harness<M extends SimulatedDevice = IdealRobot> {
  readonly clock: ManualClock;
  /** Events so far; `at` is the clock's time in milliseconds. */
  readonly events: (RobotEvent & { at: number })[] = [];
  readonly states: RobotState[] = [];
  readonly link: SimulatedLink<M>;
  readonly robot: RobotController;

  constructor(clock: ManualClock, link: SimulatedLink<M>) {
    this.clock = clock;
    this.link = link;
    this.robot = new RobotController({ open: link.open, clock });
    this.robot.onEvent((event) => this.events.push({ ...event, at: clock.now() }));
    this.robot.onState((state) => this.states.push(state));
  }

  /** A robot with ideal joints that is connected and asleep. @param supply V; default that of the simulator */
  static async asleep(supply?: number): Promise<Harness> {
    const clock = new ManualClock();
    return new Harness(clock, SimulatedLink.withIdealJoints(clock, supply)).connected();
  }

  /** A robot with ideal joints that has woken up. @param supply V; default that of the simulator */
  static async awake(supply?: number): Promise<Harness> {
    return (await Harness.asleep(supply)).woken();
  }

  /**
   * As `asleep`, in the physics engine.
   * @param supply V; default that of the simulator
   * @param motors default those of the simulator
   */
  static async asleepInPhysics(supply?: number, motors?: MotorsByModel): Promise<PhysicalHarness> {
    const clock = new ManualClock();
    return new Harness(clock, await SimulatedLink.inPhysics(clock, supply, motors)).connected();
  }

  /** As `awake`, in the physics engine. Parameters as of `asleepInPhysics`. */
  static async awakeInPhysics(supply?: number, motors?: MotorsByModel): Promise<PhysicalHarness> {
    return (await Harness.asleepInPhysics(supply, motors)).woken();
  }

  async connected(): Promise<this> {
    await this.until(() => this.robot.state.phase === "running");
    return this;
  }

  async woken(): Promise<this> {
    await this.settle(this.robot.wakeUp());
    return this;
  }

  /** Advances the clock by virtual milliseconds. */
  run(ms: number): Promise<void> {
    return this.clock.advanceAsync(ms);
  }

  /**
   * Advances the clock until a promise settles, and settles as it does.
   * @throws Error after 20 virtual seconds
   */
  settle<T>(promise: Promise<T>): Promise<T> {
    return advanceUntilSettled(this.clock, promise);
  }

  /**
   * Advances the clock until a condition holds.
   * @throws Error after 20 virtual seconds
   */
  until(condition: () => boolean): Promise<void> {
    return advanceUntil(this.clock, condition);
  }

  /** Kinds of the events so far, in order. */
  get kinds(): string[] {
    return this.events.map(({ kind }) => kind);
  }

  eventsOf(kind: RobotEvent["kind"]): (RobotEvent & { at: number })[] {
    return this.events.filter((event) => event.kind === kind);
  }
}
