import type { Actuator, DriveCommand } from "./actuator.ts";

/** Wear of a gearbox, in N m at the output shaft; all zero for a good gearbox. */
export interface Wear {
  /** The joint does not turn. */
  stuck: boolean;
  /** Dry friction torque. */
  friction: number;
  /** Amplitude of the torque ripple. */
  cogging: number;
}

/** Torque ripples in one turn of the output: an estimate. */
const RIPPLES_PER_TURN = 60;
/** Holds a stuck joint: far stronger than any motor of the robot. */
const JAM_HOLD = { stiffness: 200, damping: 5, maxTorque: 20 } as const;
/** N m s/rad. Holds an unpowered joint below its friction torque. */
const FRICTION_DAMPING = 5;

/**
 * The gearbox between a servo's motor and its joint. A good gearbox passes commands through; a worn one reduces the
 * torque at the joint. The servo still measures its motor's torque, so a stuck joint shows as current and then overload.
 */
export class Gearbox implements Actuator {
  readonly #joint: Actuator;
  readonly #wear: Wear;
  #command: DriveCommand = { kind: "off" };
  #stuckAt: number | undefined;
  #wasWorn = false;

  constructor(joint: Actuator, wear: Wear) {
    this.#joint = joint;
    this.#wear = wear;
  }

  position(): number {
    return this.#joint.position();
  }

  velocity(): number {
    return this.#joint.velocity();
  }

  torque(): number {
    return this.#isWorn ? motorTorque(this.#command, this.position(), this.velocity()) : this.#joint.torque();
  }

  drive(command: DriveCommand): void {
    this.#command = command;
    if (!this.#isWorn) this.#joint.drive(command);
  }

  /** Call once per step: the effect of wear depends on the joint's position and velocity. */
  advance(): void {
    if (this.#isWorn) {
      this.#stuckAt = this.#wear.stuck ? (this.#stuckAt ?? this.position()) : undefined;
      this.#joint.drive(this.#commandWithWear());
    } else if (this.#wasWorn) {
      this.#stuckAt = undefined;
      this.#joint.drive(this.#command);
    }
    this.#wasWorn = this.#isWorn;
  }

  get #isWorn(): boolean {
    return this.#wear.stuck || this.#wear.friction > 0 || this.#wear.cogging > 0;
  }

  #commandWithWear(): DriveCommand {
    const command = this.#command;
    const { friction } = this.#wear;
    if (this.#stuckAt !== undefined) return { kind: "position", target: this.#stuckAt, velocity: 0, ...JAM_HOLD };
    const ripple = this.#wear.cogging * Math.sin(RIPPLES_PER_TURN * this.position());
    if (command.kind === "off") {
      return friction > 0
        ? { kind: "velocity", target: 0, damping: FRICTION_DAMPING, maxTorque: friction }
        : { kind: "torque", torque: ripple };
    }
    const wanted = motorTorque(command, this.position(), this.velocity());
    const loss = Math.sign(wanted) * Math.min(Math.abs(wanted), friction);
    if (command.kind === "torque") return { kind: "torque", torque: command.torque - loss + ripple };
    const maxTorque = Math.max(0, command.maxTorque - friction) + Math.abs(ripple);
    const shift = ripple - loss;
    return command.kind === "velocity"
      ? { ...command, target: command.target + shift / command.damping, maxTorque }
      : { ...command, target: command.target + shift / command.stiffness, maxTorque };
  }

  save(): { command: DriveCommand; stuckAt: number | undefined; wasWorn: boolean } {
    return { command: this.#command, stuckAt: this.#stuckAt, wasWorn: this.#wasWorn };
  }

  restore(state: ReturnType<Gearbox["save"]>): void {
    this.#command = state.command;
    this.#stuckAt = state.stuckAt;
    this.#wasWorn = state.wasWorn;
  }
}

/** Torque in N m with which the motor follows a command. */
function motorTorque(command: DriveCommand, position: number, velocity: number): number {
  if (command.kind === "off") return 0;
  if (command.kind === "torque") return command.torque;
  const torque =
    command.kind === "velocity"
      ? command.damping * (command.target - velocity)
      : command.stiffness * (command.target - position) + command.damping * (command.velocity - velocity);
  return Math.max(-command.maxTorque, Math.min(command.maxTorque, torque));
}
