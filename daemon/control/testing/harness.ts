import { ManualClock } from "../../hardware/manual-clock.ts";
import type { RobotEvent, RobotState } from "../robot.ts";
import { createRobot, type RobotCore } from "../robot-core.ts";
import { SimulatedLink } from "./simulated-link.ts";

/** Virtual milliseconds after which a promise that should have settled is given up. */
const PATIENCE_MS = 20_000;

/** A robot and its simulation on one clock that the test turns: seconds pass as fast as they can be computed. */
export class Harness {
  readonly clock = new ManualClock();
  readonly events: (RobotEvent & { at: number })[] = [];
  readonly states: RobotState[] = [];
  readonly link: SimulatedLink;
  readonly robot: RobotCore;

  private constructor(clock: ManualClock, link: SimulatedLink) {
    this.clock = clock;
    this.link = link;
    this.robot = createRobot({ open: link.open, clock });
    this.robot.onEvent((event) => this.events.push({ ...event, at: clock.now() }));
    this.robot.onState((state) => this.states.push(state));
  }

  /** A robot that is connected and asleep. */
  static async asleep(): Promise<Harness> {
    const clock = new ManualClock();
    const harness = new Harness(clock, await SimulatedLink.create(clock));
    await harness.until(() => harness.robot.state.phase === "running");
    return harness;
  }

  static async awake(): Promise<Harness> {
    const harness = await Harness.asleep();
    await harness.settle(harness.robot.wakeUp());
    return harness;
  }

  run(ms: number): Promise<void> {
    return this.clock.run(ms);
  }

  /** Lets time pass until the promise settles, and settles like it. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let pending = true;
    const done = (): void => {
      pending = false;
    };
    promise.then(done, done);
    await this.until(() => !pending);
    return promise;
  }

  async until(condition: () => boolean): Promise<void> {
    const deadline = this.clock.now() + PATIENCE_MS;
    while (!condition()) {
      if (this.clock.now() > deadline) throw new Error(`not within ${PATIENCE_MS / 1000} virtual seconds`);
      await this.clock.run(10);
    }
  }

  /** Kinds of the events so far, in order. */
  get kinds(): string[] {
    return this.events.map(({ kind }) => kind);
  }

  eventsOf(kind: RobotEvent["kind"]): (RobotEvent & { at: number })[] {
    return this.events.filter((event) => event.kind === kind);
  }
}
