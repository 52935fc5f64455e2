import type { Actuator, DriveCommand } from "./actuator.ts";

/** What wears a gearbox, in N m at the output shaft; zeroes for a good one. */
export interface Wear {
  /** It does not turn at all. */
  stuck: boolean;
  /** Dry friction that the motor has to overcome. */
  friction: number;
  /** Height of the ripple that the teeth make. */
  cogging: number;
}

/** Ripples of the cogging in one turn of the output: an estimate. */
const TEETH = 60;
/** Holds what does not turn: far beyond any motor of the robot. */
const JAM = { stiffness: 200, damping: 5, maxTorque: 20 } as const;
/** Holds a joint until its friction gives way, N m s/rad. */
const STICTION = 5;

/**
 * The gearbox between a servo's motor and its joint. A good one passes everything on; a worn one takes part of the
 * torque. The servo still feels its own motor's torque, so that a jam shows up as current and ends in an overload.
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

  /** Once a step: what wear does depends on where the joint is and how it moves. */
  advance(): void {
    if (this.#isWorn) {
      this.#stuckAt = this.#wear.stuck ? (this.#stuckAt ?? this.position()) : undefined;
      this.#joint.drive(this.#worn());
    } else if (this.#wasWorn) {
      this.#stuckAt = undefined;
      this.#joint.drive(this.#command);
    }
    this.#wasWorn = this.#isWorn;
  }

  get #isWorn(): boolean {
    return this.#wear.stuck || this.#wear.friction > 0 || this.#wear.cogging > 0;
  }

  #worn(): DriveCommand {
    const command = this.#command;
    const { friction } = this.#wear;
    if (this.#stuckAt !== undefined) return { kind: "position", target: this.#stuckAt, velocity: 0, ...JAM };
    const ripple = this.#wear.cogging * Math.sin(TEETH * this.position());
    if (command.kind === "off") {
      return friction > 0
        ? { kind: "velocity", target: 0, damping: STICTION, maxTorque: friction }
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

/** N m that the motor puts in to follow a command. */
function motorTorque(command: DriveCommand, position: number, velocity: number): number {
  if (command.kind === "off") return 0;
  if (command.kind === "torque") return command.torque;
  const torque =
    command.kind === "velocity"
      ? command.damping * (command.target - velocity)
      : command.stiffness * (command.target - position) + command.damping * (command.velocity - velocity);
  return Math.max(-command.maxTorque, Math.min(command.maxTorque, torque));
}
