import { advanceUntil, advanceUntilSettled, ManualClock } from "../../../../common/time/manual-clock.ts";
import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { SimulatedRobot } from "../../../../sim/robot.ts";
import type { MotorsByModel } from "../../../../sim/servos/motor/motor-parameters.ts";
import { RobotController } from "../robot-controller.ts";
import { type SimulatedDevice, SimulatedLink } from "./simulated-link.ts";

/** A robot and its simulation on one manual clock: simulated seconds pass as fast as they can be computed. */
export class Harness<M extends SimulatedDevice = SimulatedRobot> {
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

  /**
   * A robot that is connected and asleep.
   * @param supply V; default that of the simulator
   * @param motors default those of the simulator
   */
  static async asleep(supply?: number, motors?: MotorsByModel): Promise<Harness> {
    const clock = new ManualClock();
    const harness = new Harness(clock, await SimulatedLink.create(clock, supply, motors));
    await harness.until(() => harness.robot.state.phase === "running");
    return harness;
  }

  /** A robot that has woken up. Parameters as of `asleep`. */
  static async awake(supply?: number, motors?: MotorsByModel): Promise<Harness> {
    const harness = await Harness.asleep(supply, motors);
    await harness.settle(harness.robot.wakeUp());
    return harness;
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
