import { FULL_PWM, OperatingMode } from "../../../robot/servo/registers/control-table.ts";
import type { ServoModel } from "../../../robot/servo/registers/models.ts";
import {
  TICKS_PER_TURN,
  ticksToRadians,
  unitsToAmperes,
  unitsToRadiansPerSecond,
  unitsToRadiansPerSecond2,
} from "../../../robot/servo/registers/units.ts";
import type { ControlTable } from "../control-table.ts";
import type { Actuator, DriveCommand } from "./actuator.ts";
import { availableTorque, torqueConstant } from "./motor-model.ts";
import { Profile, stepTowards } from "./profile.ts";

/** N m/rad at the assembled robot's position gain. */
const STIFFNESS = 10;
/** N m s/rad, from the motor's back electromotive force; the assembled robot's D gain is 0. */
const DAMPING = 0.25;
/** N m s/rad of the velocity loop: an estimate for its P and I gains together. */
const VELOCITY_DAMPING = 1;
/** The torque limit changes with the velocity in steps of this share of the stall torque. */
const TORQUE_STEP = 1 / 50;
const TICKS_PER_RADIAN = TICKS_PER_TURN / (2 * Math.PI);

const zeroAsNoLimit = (limit: number) => (limit === 0 ? Number.POSITIVE_INFINITY : limit);

/**
 * Converts the goals of the control table into motor commands, in operating modes 0 (current), 1 (velocity),
 * 3 (position) and 5 (current-based position). Of the gains only the position P gain has an effect.
 */
export class MotorControl {
  readonly profile = new Profile();
  readonly #model: ServoModel;
  readonly #actuator: Actuator;
  readonly #referenceGain: number;
  #command: DriveCommand = { kind: "off" };

  #mode: number = OperatingMode.position;
  #goal = 0;
  #goalVelocity = 0;
  #goalTorque = 0;
  #stiffness = STIFFNESS;
  #torqueLimit = 0;
  #maxVelocity = Number.POSITIVE_INFINITY;
  #maxAcceleration = Number.POSITIVE_INFINITY;
  #ticksAtZero = 0;

  /** @param referenceGain position P gain at which the robot's stiffness was measured */
  constructor(model: ServoModel, actuator: Actuator, referenceGain: number) {
    this.#model = model;
    this.#actuator = actuator;
    this.#referenceGain = referenceGain;
  }

  /**
   * Reads goals, gains and limits from the control table.
   *
   * @param ticksAtZero position register at joint angle -pi, ticks
   */
  configure(memory: ControlTable, ticksAtZero: number): void {
    const constant = torqueConstant(this.#model);
    const amperes = (name: "goalCurrent" | "currentLimit") => unitsToAmperes(memory.get(name));
    this.#mode = memory.get("operatingMode");
    this.#goal = memory.get("goalPosition");
    this.#goalVelocity = unitsToRadiansPerSecond(memory.get("goalVelocity"));
    this.#goalTorque = constant * amperes("goalCurrent");
    this.#stiffness = (STIFFNESS * memory.get("positionPGain")) / this.#referenceGain;
    const limit = Math.min(
      amperes("currentLimit"),
      this.#mode === OperatingMode.currentBasedPosition ? Math.abs(amperes("goalCurrent")) : Number.POSITIVE_INFINITY,
    );
    const pwm = Math.min(memory.get("pwmLimit"), Math.abs(memory.get("goalPwm"))) / FULL_PWM;
    this.#torqueLimit = Math.min(constant * limit, pwm * this.#model.stallTorque);
    this.#maxVelocity = zeroAsNoLimit(unitsToRadiansPerSecond(memory.get("profileVelocity"))) * TICKS_PER_RADIAN;
    this.#maxAcceleration =
      zeroAsNoLimit(unitsToRadiansPerSecond2(memory.get("profileAcceleration"))) * TICKS_PER_RADIAN;
    this.#ticksAtZero = ticksAtZero;
  }

  /** Switches the motor off. */
  switchOff(): void {
    if (this.#command.kind !== "off") this.#drive({ kind: "off" });
  }

  /** Advances by `dt` seconds with torque on. */
  advance(dt: number, volts: number): void {
    const velocity = this.#actuator.velocity();
    if (this.#mode === OperatingMode.velocity) this.#controlVelocity(dt, volts, velocity);
    else if (this.#mode === OperatingMode.current) this.#controlCurrent(volts, velocity);
    else this.#controlPosition(dt, volts, velocity);
  }

  #controlPosition(dt: number, volts: number, velocity: number): void {
    this.profile.advance(dt, this.#goal, this.#maxVelocity, this.#maxAcceleration);
    const target = ticksToRadians(this.profile.position - this.#ticksAtZero);
    const maxTorque = this.#maxTorque(volts, velocity, target - this.#actuator.position());
    const feedForward = this.profile.velocity / TICKS_PER_RADIAN;
    const last = this.#command;
    const same =
      last.kind === "position" &&
      last.target === target &&
      last.velocity === feedForward &&
      last.stiffness === this.#stiffness &&
      last.maxTorque === maxTorque;
    if (same) return;
    this.#drive({
      kind: "position",
      target,
      velocity: feedForward,
      stiffness: this.#stiffness,
      damping: DAMPING,
      maxTorque,
    });
  }

  #controlVelocity(dt: number, volts: number, velocity: number): void {
    const goal = this.#goalVelocity * TICKS_PER_RADIAN;
    this.profile.velocity = stepTowards(this.profile.velocity, goal, this.#maxAcceleration * dt);
    const target = this.profile.velocity / TICKS_PER_RADIAN;
    const maxTorque = this.#maxTorque(volts, velocity, target - velocity);
    const last = this.#command;
    if (last.kind === "velocity" && last.target === target && last.maxTorque === maxTorque) return;
    this.#drive({ kind: "velocity", target, damping: VELOCITY_DAMPING, maxTorque });
  }

  #controlCurrent(volts: number, velocity: number): void {
    const limit = this.#maxTorque(volts, velocity, this.#goalTorque);
    const torque = Math.max(-limit, Math.min(limit, this.#goalTorque));
    if (this.#command.kind !== "torque" || this.#command.torque !== torque) this.#drive({ kind: "torque", torque });
  }

  #maxTorque(volts: number, velocity: number, direction: number): number {
    const step = TORQUE_STEP * this.#model.stallTorque;
    const available = availableTorque(this.#model, volts, velocity, Math.sign(direction));
    return Math.min(this.#torqueLimit, Math.ceil(available / step - 1e-9) * step);
  }

  #drive(command: DriveCommand): void {
    this.#command = command;
    this.#actuator.drive(command);
  }

  save(): { position: number; velocity: number; command: DriveCommand } {
    return { position: this.profile.position, velocity: this.profile.velocity, command: this.#command };
  }

  /** Restores the state of this object only; the motor's own command is part of the physics snapshot. */
  restore(state: ReturnType<MotorControl["save"]>): void {
    this.profile.position = state.position;
    this.profile.velocity = state.velocity;
    this.#command = state.command;
  }
}
