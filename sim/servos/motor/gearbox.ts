import { type Actuator, type DriveCommand, type GearWear, NO_GEAR_WEAR } from "./actuator.ts";

/** Wear of a gearbox, in N m at the output shaft; all zero for a good gearbox. */
export interface Wear extends GearWear {
  /** The joint does not turn. */
  stuck: boolean;
  friction: number;
  cogging: number;
}

/** What a servo does with its motor: a voltage at it, or its driver off (undefined). */
type Supply = number | undefined;

/** Holds a stuck joint: far stronger than any motor of the robot. */
const JAM_HOLD = { stiffness: 200, damping: 5, maxTorque: 20 } as const;

/** The gearbox between a servo's motor and its joint. Faults wear it: a stuck one holds the joint where it is. */
export class Gearbox {
  readonly #joint: Actuator;
  readonly #wear: Wear;
  #volts: Supply;
  #stuckAt: number | undefined;
  #applied: GearWear = NO_GEAR_WEAR;

  constructor(joint: Actuator, wear: Wear) {
    this.#joint = joint;
    this.#wear = wear;
    this.#send();
  }

  /** Radians and rad/s of the joint. */
  position(): number {
    return this.#joint.position();
  }

  velocity(): number {
    return this.#joint.velocity();
  }

  /** Sets the voltage at the motor; undefined switches its driver off. */
  supply(volts: Supply): void {
    if (volts === this.#volts) return;
    this.#volts = volts;
    if (this.#stuckAt === undefined) this.#send();
  }

  /** Call once per step: applies changes of the wear. */
  advance(): void {
    const { stuck, friction, cogging } = this.#wear;
    const worn = friction !== this.#applied.friction || cogging !== this.#applied.cogging;
    if (!worn && stuck === (this.#stuckAt !== undefined)) return;
    this.#applied = { friction, cogging };
    this.#stuckAt = stuck ? (this.#stuckAt ?? this.position()) : undefined;
    this.#send();
  }

  #send(): void {
    this.#joint.drive(this.#command());
  }

  #command(): DriveCommand {
    if (this.#stuckAt !== undefined) return { kind: "position", target: this.#stuckAt, ...JAM_HOLD };
    if (this.#volts === undefined) return { kind: "off", wear: this.#applied };
    return { kind: "voltage", volts: this.#volts, wear: this.#applied };
  }

  save(): { volts: Supply; stuckAt: number | undefined; applied: GearWear } {
    return { volts: this.#volts, stuckAt: this.#stuckAt, applied: this.#applied };
  }

  /** Restores the state of this object only; the joint's command is part of the physics snapshot. */
  restore(state: ReturnType<Gearbox["save"]>): void {
    this.#volts = state.volts;
    this.#stuckAt = state.stuckAt;
    this.#applied = state.applied;
  }
}
