import { Emitter } from "../../common/emitter.ts";
import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { type Mechanism, SimulatedRobot } from "../../sim/robot.ts";
import { between, type ProcessClock, type SystemClock } from "./clocks.ts";

/** Milliseconds that an answer is on its way: mostly, and now and then. */
const [USUAL_MS, SLOW_MS] = [
  [0.2, 1.5],
  [5, 30],
] as const;
const SLOW_SHARE = 0.001;
/** Milliseconds that opening the port takes. */
const OPEN_MS = [1, 30] as const;

/** A robot that is on as long as the system runs, at the end of a cable that can be pulled out. */
export class RobotOnCable {
  readonly robot: SimulatedRobot<Mechanism>;
  readonly #clock: SystemClock;
  readonly #random: () => number;
  readonly #arrived = new Emitter<Uint8Array>();
  readonly #closed = new Emitter<Error | undefined>();
  #isPlugged = true;
  /** The process that has the port open. */
  #holder: ProcessClock | null = null;
  #lastArrival = 0;
  #cancelWake = (): void => {};

  constructor(clock: SystemClock, random: () => number, mechanism: Mechanism) {
    this.#clock = clock;
    this.#random = random;
    this.robot = new SimulatedRobot(mechanism, { seed: Math.floor(2 ** 31 * random()) }, (bytes) => this.#send(bytes));
  }

  /** Opens the port for a process; what arrives later than its end is lost. */
  async open(process: ProcessClock): Promise<ByteLink> {
    await new Promise<void>((resolve) => process.after(between(this.#random, OPEN_MS), resolve));
    if (!this.#isPlugged) throw new Error("No robot is plugged in.");
    if (this.#holder?.isDead === false) throw new Error("Another program uses the port.");
    this.#holder = process;
    return {
      name: "cable",
      write: (bytes) => {
        if (!this.#isPlugged) return;
        this.advance();
        this.robot.receive(bytes);
        this.#wakeForNextArrival();
      },
      onData: (listener) => this.#arrived.on((bytes) => void (process.isDead || listener(bytes))),
      onClose: (listener) => this.#closed.on((reason) => void (process.isDead || listener(reason))),
      close: async () => {
        this.#holder = null;
      },
    };
  }

  unplug(): void {
    this.#isPlugged = false;
    this.#closed.emit(new Error("the cable was pulled"));
  }

  plugIn(): void {
    this.#isPlugged = true;
  }

  /** Brings the robot up to the present. */
  advance(): void {
    this.robot.advanceTo(this.#clock.now() / 1000);
  }

  /** As `Simulation.push`. */
  async push(...given: Parameters<Mechanism["push"]>): Promise<void> {
    this.advance();
    this.robot.physics.push(...given);
  }

  #send(bytes: Uint8Array): void {
    const delay = between(this.#random, this.#random() < SLOW_SHARE ? SLOW_MS : USUAL_MS);
    this.#lastArrival = Math.max(this.#lastArrival, this.#clock.now() + delay);
    this.#clock.at(this.#lastArrival, () => this.#isPlugged && this.#arrived.emit(bytes));
  }

  /** Answers that a fault delays leave the robot later. */
  #wakeForNextArrival(): void {
    const { nextArrival } = this.robot;
    if (nextArrival === undefined) return;
    this.#cancelWake();
    this.#cancelWake = this.#clock.at(this.#clock.now() + 1000 * nextArrival, () => {
      this.advance();
      this.#wakeForNextArrival();
    });
  }
}
