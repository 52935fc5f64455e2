import { SLEEP } from "../robot/description/poses.ts";
import type { Fault } from "./faults/fault.ts";
import { Faults } from "./faults/faults.ts";
import { Wire } from "./link/wire.ts";
import { createPhysics } from "./physics/engine.ts";
import { type Posture, postureOf } from "./physics/posture.ts";
import { seededRandom } from "./physics/random.ts";
import { type PhysicsSnapshot, type PhysicsWorld, TIMESTEP } from "./physics/world.ts";
import { assembleBus } from "./servos/assembled.ts";
import type { ServoBus } from "./servos/bus.ts";

/** Physics steps for each step of the servos' firmware. */
const STEPS_PER_FIRMWARE = 2;

export interface RobotOptions {
  /** The same seed, bytes and times give the same robot, bit by bit. */
  readonly seed: number;
  /** Where it was left before it was plugged in; the sleep pose when absent. */
  readonly posture?: Posture;
  /** Bytes take the time that they take on the real bus; at once when absent. */
  readonly wireDelay?: boolean;
  /** What goes wrong, and when. */
  readonly faults?: readonly Fault[];
}

export interface RobotSnapshot {
  readonly physics: PhysicsSnapshot;
  readonly servos: ReturnType<ServoBus["save"]>;
}

/**
 * A robot that was just plugged in: mechanism and servos, asleep and without torque. Bytes go in and come out; time is
 * simulated and moves only with `advanceTo`.
 */
export class SimulatedRobot {
  readonly physics: PhysicsWorld;
  readonly servos: ServoBus;
  readonly #wire: Wire;
  readonly #faults: Faults;
  readonly #plugged: RobotSnapshot;
  #steps = 0;
  /** How far it was told to live: up to a step beyond `time`. The wire goes by it, since bytes take microseconds. */
  #now = 0;

  private constructor(physics: PhysicsWorld, options: RobotOptions, transmit: (bytes: Uint8Array) => void) {
    this.physics = physics;
    this.servos = assembleBus(physics.actuators);
    this.#faults = new Faults(options.faults ?? [], seededRandom(options.seed));
    this.#wire = new Wire(this.servos, this.#faults, options.wireDelay ?? false, transmit);
    this.#plugged = this.snapshot();
  }

  /** @param transmit takes what the servos send; it is called from within `receive` and `advanceTo` */
  static async create(options: RobotOptions, transmit: (bytes: Uint8Array) => void): Promise<SimulatedRobot> {
    const { seed, posture = postureOf(SLEEP) } = options;
    return new SimulatedRobot(await createPhysics({ posture, seed }), options, transmit);
  }

  /** Simulated seconds since it was plugged in. */
  get time(): number {
    return this.#steps * TIMESTEP;
  }

  /** Seconds until more bytes come out of it; undefined when none are on their way. */
  get nextArrival(): number | undefined {
    const { nextDue } = this.#wire;
    return nextDue === undefined ? undefined : Math.max(0, nextDue - this.#now);
  }

  /** False while its cable is pulled. */
  get isPlugged(): boolean {
    return this.#faults.isPlugged(this.time);
  }

  /** Lets something go wrong from here on; the fault's times count from this moment. */
  beginFault(fault: Fault): void {
    this.#faults.begin(fault, this.time);
  }

  endFaults(): void {
    this.#faults.endAll(this.time);
  }

  /** Bytes from the other end of the wire. */
  receive(bytes: Uint8Array): void {
    this.#wire.receive(bytes, this.#now);
  }

  /** Lets the robot live until this simulated second; does nothing when that is past. */
  advanceTo(seconds: number): void {
    const until = Math.floor(seconds / TIMESTEP + 1e-6);
    while (this.#steps < until) {
      if (this.physics.steps % STEPS_PER_FIRMWARE === 0) this.#runFirmware();
      this.physics.step();
      this.#steps += 1;
    }
    this.#now = Math.max(this.#now, seconds);
    this.#wire.deliver(this.#now);
  }

  /** Pulls the plug, puts the robot back to where it started, without objects, and plugs it in again. Time goes on. */
  reset(): void {
    this.restore(this.#plugged);
  }

  snapshot(): RobotSnapshot {
    return { physics: this.physics.snapshot(), servos: this.servos.save() };
  }

  restore(snapshot: RobotSnapshot): void {
    this.#wire.clear();
    this.physics.restore(snapshot.physics);
    this.servos.restore(snapshot.servos);
  }

  /** Gives the engine's memory back. */
  free(): void {
    this.physics.free();
  }

  #runFirmware(): void {
    this.#faults.apply(this.servos, this.time);
    this.servos.advance(STEPS_PER_FIRMWARE * TIMESTEP);
  }
}
