import { type SeededRandom, seededRandom } from "../common/seeded-random.ts";
import { SLEEP_POSE } from "../robot/description/poses.ts";
import type { Fault } from "./faults/fault.ts";
import { FaultInjector } from "./faults/fault-injector.ts";
import { Wire } from "./link/wire.ts";
import { type Posture, postureOf } from "./physics/model/posture.ts";
import { createPhysics, type PhysicsWorld, TIMESTEP } from "./physics/world.ts";
import { InertialSensor } from "./sensors/inertial-sensor.ts";
import { assembleBus } from "./servos/assemble-bus.ts";
import { DEFAULT_SUPPLY, type ServoBus } from "./servos/bus/bus.ts";
import { MOTORS, type MotorsByModel } from "./servos/motor/motor-parameters.ts";

/** Physics steps per step of the servos' firmware, and while the robot is at rest. */
const STEPS_PER_FIRMWARE = 1;
const STEPS_PER_FIRMWARE_AT_REST = 5;

export interface RobotOptions {
  /** Equal seeds, bytes and times give bit-identical runs. */
  readonly seed: number;
  /** Initial posture. Default: the sleep pose. */
  readonly posture?: Posture;
  /** Whether bytes take the transmission time of the physical bus. Default false. */
  readonly wireDelay?: boolean;
  /** Whether the robot stands free on the table, so that it can slide and tip over. Default false: its foot is fixed. */
  readonly freeBase?: boolean;
  /** Whether the robot has the wireless robot's inertial sensor. Default false. */
  readonly inertialSensor?: boolean;
  /** V of the power supply, 0 to 12. Default 7. */
  readonly supply?: number;
  /** Motors, gears and firmware of the servo models. Default: `MOTORS`. */
  readonly motors?: MotorsByModel;
  /** Injected faults. */
  readonly faults?: readonly Fault[];
}

/** The joints of a robot and what they move. */
export interface Mechanism extends Pick<PhysicsWorld, "actuators" | "isAtRest" | "skip" | "step" | "push" | "free"> {
  snapshot(): unknown;
  /** Continues from a snapshot of this mechanism. */
  restore(snapshot: unknown): void;
}

export interface RobotSnapshot {
  readonly physics: unknown;
  readonly servos: ReturnType<ServoBus["save"]>;
  /** Steps since the last step of the firmware, and until the next one. */
  readonly sinceFirmware: number;
  readonly untilFirmware: number;
  /** Of the time, and of what is random or happens at a time: only `rewind` restores these. */
  readonly steps: number;
  readonly now: number;
  readonly faults: readonly Fault[];
  readonly random: number;
  readonly sensor: ReturnType<InertialSensor["save"]> | undefined;
}

/**
 * A simulated robot: mechanism and servos, initially without torque. Bytes go in and come out; time is simulated and moves
 * only with `advanceTo`.
 */
export class SimulatedRobot<M extends Mechanism = PhysicsWorld> {
  readonly physics: M;
  readonly servos: ServoBus;
  /** The inertial sensor of a wireless robot. */
  readonly inertialSensor: InertialSensor | undefined;
  readonly #wire: Wire;
  readonly #faults: FaultInjector;
  readonly #random: SeededRandom;
  readonly #initial: RobotSnapshot;
  #steps = 0;
  #lastFirmware = 0;
  #nextFirmware = 0;
  /** The time of the last `advanceTo`, up to one step beyond `time`; the wire's time, as bytes take microseconds. */
  #now = 0;

  /**
   * Use `create`, unless the robot has a mechanism of its own.
   * @param transmit called with the servos' replies, during `receive` and `advanceTo`
   */
  constructor(physics: M, options: RobotOptions, transmit: (bytes: Uint8Array) => void, sensor?: InertialSensor) {
    this.physics = physics;
    this.servos = assembleBus(physics.actuators, options.supply ?? DEFAULT_SUPPLY, options.motors);
    this.#random = seededRandom(options.seed);
    this.#faults = new FaultInjector(options.faults ?? [], this.#random);
    this.#wire = new Wire(this.servos, this.#faults, options.wireDelay ?? false, transmit);
    this.inertialSensor = sensor;
    this.#initial = this.snapshot();
  }

  /** @param transmit called with the servos' replies, during `receive` and `advanceTo` */
  static async create(options: RobotOptions, transmit: (bytes: Uint8Array) => void): Promise<SimulatedRobot> {
    const { seed, posture = postureOf(SLEEP_POSE), freeBase = false, motors = MOTORS } = options;
    const physics = await createPhysics({ posture, seed, freeBase, motors });
    // A source of its own, so that a robot with the sensor moves like one without.
    const random = seededRandom(seed + 1);
    const sensor = options.inertialSensor ? new InertialSensor(() => physics.part("head"), random) : undefined;
    return new SimulatedRobot(physics, options, transmit, sensor);
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

  /** Whether nothing moves and no instruction waits, so that time may pass in large steps. */
  get isAtRest(): boolean {
    return this.physics.isAtRest && this.#nextFirmware - this.#lastFirmware > STEPS_PER_FIRMWARE;
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
    const before = this.servos.changes;
    this.#wire.receive(bytes, this.#now);
    if (this.servos.changes !== before) this.#runFirmwareSoon();
  }

  /** Advances to a simulated time in seconds; does nothing when it has passed. */
  advanceTo(seconds: number): void {
    const until = Math.floor(seconds / TIMESTEP + 1e-6);
    while (this.#steps < until) {
      if (this.#steps >= this.#nextFirmware) this.#runFirmware();
      if (this.physics.isAtRest) {
        const skipped = Math.min(until, this.#nextFirmware) - this.#steps;
        this.physics.skip(skipped);
        this.#steps += skipped;
      } else {
        this.physics.step();
        this.inertialSensor?.afterStep(TIMESTEP);
        this.#steps += 1;
      }
    }
    this.#now = Math.max(this.#now, seconds);
    this.#wire.deliver(this.#now);
  }

  /** Delivers replies that have not arrived yet: a paused robot answers, too. */
  deliverReplies(): void {
    this.#wire.deliver(Number.POSITIVE_INFINITY);
  }

  /** Restarts the robot in its initial posture, without objects. Time continues. */
  reset(): void {
    this.restore(this.#initial);
  }

  snapshot(): RobotSnapshot {
    return {
      physics: this.physics.snapshot(),
      servos: this.servos.save(),
      sinceFirmware: this.#steps - this.#lastFirmware,
      untilFirmware: this.#nextFirmware - this.#steps,
      steps: this.#steps,
      now: this.#now,
      faults: this.#faults.faults,
      random: this.#random.save(),
      sensor: this.inertialSensor?.save(),
    };
  }

  /**
   * Goes back to the moment of a snapshot: what follows is bit-identical to what followed then, for equal bytes. Replies that have
   * not arrived are lost.
   */
  rewind(snapshot: RobotSnapshot): void {
    this.#steps = snapshot.steps;
    this.#now = snapshot.now;
    this.restore(snapshot);
    this.#faults.faults = snapshot.faults;
    this.#random.restore(snapshot.random);
    if (snapshot.sensor !== undefined) this.inertialSensor?.restore(snapshot.sensor);
  }

  /** Continues with mechanism and servos of a snapshot. Time, faults and random numbers continue. */
  restore(snapshot: RobotSnapshot): void {
    this.#wire.clear();
    this.physics.restore(snapshot.physics);
    this.inertialSensor?.reset();
    this.servos.restore(snapshot.servos);
    this.#lastFirmware = this.#steps - snapshot.sinceFirmware;
    this.#nextFirmware = this.#steps + snapshot.untilFirmware;
  }

  /** Frees the engine's memory. */
  free(): void {
    this.physics.free();
  }

  #runFirmware(): void {
    this.#faults.apply(this.servos, this.time);
    const steps = this.physics.isAtRest ? this.#steps - this.#lastFirmware : STEPS_PER_FIRMWARE;
    this.servos.advance(steps * TIMESTEP);
    this.#lastFirmware = this.#steps;
    this.#nextFirmware = this.#steps + (this.physics.isAtRest ? STEPS_PER_FIRMWARE_AT_REST : STEPS_PER_FIRMWARE);
  }

  /** After an instruction: at the next step of the firmware as it is while the robot moves. */
  #runFirmwareSoon(): void {
    const passed = Math.ceil((this.#steps - this.#lastFirmware) / STEPS_PER_FIRMWARE);
    const next = this.#lastFirmware + STEPS_PER_FIRMWARE * Math.max(1, passed);
    this.#nextFirmware = Math.min(this.#nextFirmware, next);
  }
}
