import { seededRandom } from "../common/seeded-random.ts";
import { SLEEP_POSE } from "../robot/description/poses.ts";
import type { Fault } from "./faults/fault.ts";
import { FaultInjector } from "./faults/fault-injector.ts";
import { Wire } from "./link/wire.ts";
import { createPhysics } from "./physics/create-physics.ts";
import { type Posture, postureOf } from "./physics/model/posture.ts";
import { type PhysicsSnapshot, type PhysicsWorld, TIMESTEP } from "./physics/world.ts";
import { assembleBus } from "./servos/assemble-bus.ts";
import type { ServoBus } from "./servos/bus/bus.ts";

/** Physics steps per step of the servos' firmware. */
const STEPS_PER_FIRMWARE = 2;

export interface RobotOptions {
  /** Equal seeds, bytes and times give bit-identical runs. */
  readonly seed: number;
  /** Initial posture. Default: the sleep pose. */
  readonly posture?: Posture;
  /** Whether bytes take the transmission time of the physical bus. Default false. */
  readonly wireDelay?: boolean;
  /** Injected faults. */
  readonly faults?: readonly Fault[];
}

export interface RobotSnapshot {
  readonly physics: PhysicsSnapshot;
  readonly servos: ReturnType<ServoBus["save"]>;
}

/**
 * A simulated robot: mechanism and servos, initially without torque. Bytes go in and come out; time is simulated and moves
 * only with `advanceTo`.
 */
export class SimulatedRobot {
  readonly physics: PhysicsWorld;
  readonly servos: ServoBus;
  readonly #wire: Wire;
  readonly #faults: FaultInjector;
  readonly #initial: RobotSnapshot;
  #steps = 0;
  /** The time of the last `advanceTo`, up to one step beyond `time`; the wire's time, as bytes take microseconds. */
  #now = 0;

  private constructor(physics: PhysicsWorld, options: RobotOptions, transmit: (bytes: Uint8Array) => void) {
    this.physics = physics;
    this.servos = assembleBus(physics.actuators);
    this.#faults = new FaultInjector(options.faults ?? [], seededRandom(options.seed));
    this.#wire = new Wire(this.servos, this.#faults, options.wireDelay ?? false, transmit);
    this.#initial = this.snapshot();
  }

  /** @param transmit called with the servos' replies, during `receive` and `advanceTo` */
  static async create(options: RobotOptions, transmit: (bytes: Uint8Array) => void): Promise<SimulatedRobot> {
    const { seed, posture = postureOf(SLEEP_POSE) } = options;
    return new SimulatedRobot(await createPhysics({ posture, seed }), options, transmit);
  }

  /** Simulated seconds since the start. */
  get time(): number {
    return this.#steps * TIMESTEP;
  }

  /** Simulated seconds until the next reply arrives; undefined without one. */
  get nextArrival(): number | undefined {
    const { nextDue } = this.#wire;
    return nextDue === undefined ? undefined : Math.max(0, nextDue - this.#now);
  }

  /** False while the cable is unplugged by a fault. */
  get isPlugged(): boolean {
    return this.#faults.isPlugged(this.time);
  }

  /** Adds a fault; its times count from now. */
  addFault(fault: Fault): void {
    this.#faults.add(fault, this.time);
  }

  /** Ends all faults, including future ones. */
  endFaults(): void {
    this.#faults.endAll(this.time);
  }

  /** Takes bytes from the bus master. */
  receive(bytes: Uint8Array): void {
    this.#wire.receive(bytes, this.#now);
  }

  /** Advances to a simulated time in seconds; does nothing when it has passed. */
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

  /** Restarts the robot in its initial posture, without objects. Time continues. */
  reset(): void {
    this.restore(this.#initial);
  }

  snapshot(): RobotSnapshot {
    return { physics: this.physics.snapshot(), servos: this.servos.save() };
  }

  restore(snapshot: RobotSnapshot): void {
    this.#wire.clear();
    this.physics.restore(snapshot.physics);
    this.servos.restore(snapshot.servos);
  }

  /** Frees the engine's memory. */
  free(): void {
    this.physics.free();
  }

  #runFirmware(): void {
    this.#faults.apply(this.servos, this.time);
    this.servos.advance(STEPS_PER_FIRMWARE * TIMESTEP);
  }
}
