import { type Actuator, type DriveCommand, type GearWear, NO_GEAR_WEAR } from "./actuator.ts";
import type { MotorParameters } from "./motor-parameters.ts";

/** Radians by which the gear yields before dry friction slips. */
const PRESLIDING = 5e-4;
/** rad/s up to which friction is that of the start. */
const STRIBECK_SPEED = 0.05;
/** Torque ripples in one turn of the output: an estimate. */
const RIPPLES_PER_TURN = 60;

/** Angle in radians and velocity in rad/s of a joint. */
type MovingJoint = Pick<Actuator, "position" | "velocity">;

/**
 * A direct-current motor behind a gear with dry, viscous and load-dependent friction and backlash. For each step of a
 * mechanism it gives a torque and a damping; the mechanism applies the damping implicitly, so that the motor is stable at
 * any step: the torque at the shaft is `torque - damping * velocity`.
 *
 * Dry friction is a spring that yields at the friction torque (an elasto-plastic bristle): it holds a joint without creep,
 * and opposes motion with a constant torque.
 */
export class GearMotor {
  readonly parameters: MotorParameters;
  /** N m and N m s/rad of the present step. */
  torque = 0;
  damping = 0;
  #frictionScale: number;
  readonly #stiffness: number;
  readonly #stickDamping: number;
  /** Radians: deflection of the bristle, and position in the play. */
  #deflection = 0;
  #play = 0;

  /** @param frictionScale of this gear relative to others of its model */
  constructor(parameters: MotorParameters, frictionScale = 1) {
    this.parameters = parameters;
    this.#frictionScale = frictionScale;
    this.#stiffness = parameters.friction / PRESLIDING;
    this.#stickDamping = Math.sqrt(this.#stiffness * parameters.rotorInertia);
  }

  /**
   * Computes torque and damping for a step of `dt` seconds.
   *
   * @param volts at the motor; undefined while its driver is off, so that no current flows
   */
  step(dt: number, volts: number | undefined, joint: MovingJoint, wear: GearWear): void {
    const velocity = joint.velocity();
    const { resistance, torqueConstant, backEmfConstant, loadFriction, viscosity } = this.parameters;
    const current = volts === undefined ? 0 : (volts - backEmfConstant * velocity) / resistance;
    const motorTorque = torqueConstant * current;
    this.torque = 0;
    this.damping = viscosity;
    if (volts !== undefined && this.#isEngaged(dt, volts, velocity, motorTorque)) {
      this.torque = (torqueConstant * volts) / resistance;
      this.damping += (torqueConstant * backEmfConstant) / resistance;
    }
    this.#addFriction(dt, velocity, loadFriction * Math.abs(motorTorque) + wear.friction);
    if (wear.cogging > 0) this.torque += wear.cogging * Math.sin(RIPPLES_PER_TURN * joint.position());
  }

  /** The motor crosses the play at its own speed, and passes torque on only when it has reached the side of the torque. */
  #isEngaged(dt: number, volts: number, velocity: number, motorTorque: number): boolean {
    const { backlash, backEmfConstant } = this.parameters;
    const half = backlash / 2;
    const play = this.#play + (volts / backEmfConstant - velocity) * dt;
    this.#play = Math.max(-half, Math.min(half, play));
    return motorTorque >= 0 ? this.#play >= half : this.#play <= -half;
  }

  #addFriction(dt: number, velocity: number, additional: number): void {
    const { friction, staticFriction } = this.parameters;
    const start = Math.exp(-((velocity / STRIBECK_SPEED) ** 2));
    const dry = this.#frictionScale * (friction + (staticFriction - friction) * start) + additional;
    const most = dry / this.#stiffness;
    const deflection = this.#deflection + velocity * dt;
    const sticks = Math.abs(deflection) < most;
    this.#deflection = sticks ? deflection : Math.sign(deflection) * most;
    this.torque -= this.#stiffness * this.#deflection;
    if (sticks) this.damping += this.#stickDamping;
  }

  /** The step of a motor that a command drives; false for a command of an ideal drive. */
  follow(dt: number, command: DriveCommand, joint: MovingJoint): boolean {
    if (command.kind !== "voltage" && command.kind !== "off") return false;
    this.step(dt, command.kind === "off" ? undefined : command.volts, joint, command.wear ?? NO_GEAR_WEAR);
    return true;
  }

  /** Call when the joint was moved from outside to another position. */
  reset(): void {
    this.#deflection = 0;
    this.#play = 0;
  }

  save(): { deflection: number; play: number; frictionScale: number } {
    return { deflection: this.#deflection, play: this.#play, frictionScale: this.#frictionScale };
  }

  restore(saved: ReturnType<GearMotor["save"]>): void {
    this.#deflection = saved.deflection;
    this.#play = saved.play;
    this.#frictionScale = saved.frictionScale;
  }
}
