import { FULL_PWM, OperatingMode } from "../../../robot/servo/registers/control-table.ts";
import {
  radiansPerSecondToUnits,
  TICKS_PER_TURN,
  unitsToAmperes,
  unitsToRadiansPerSecond,
  unitsToRadiansPerSecond2,
} from "../../../robot/servo/registers/units.ts";
import type { ControlTable } from "../control-table.ts";
import type { Gearbox } from "./gearbox.ts";
import type { MotorParameters } from "./motor-parameters.ts";
import { Profile, stepTowards } from "./profile.ts";
import { type GainSet, gainsOf, Integral, PositionLoop } from "./pwm-loops.ts";

const TICKS_PER_RADIAN = TICKS_PER_TURN / (2 * Math.PI);
/** Volts: the resolution with which the firmware measures its supply. */
const SUPPLY_RESOLUTION = 0.01;

const zeroAsNoLimit = (limit: number) => (limit === 0 ? Number.POSITIVE_INFINITY : limit);
const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

/**
 * The firmware's control loops in operating modes 0 (current), 1 (velocity), 3 (position) and 5 (current-based position):
 * from goals, gains and limits of the control table to the pulse width of the motor's voltage.
 */
export class MotorControl {
  readonly profile = new Profile();
  readonly #motor: MotorParameters;
  readonly #gearbox: Gearbox;
  readonly #position = new PositionLoop();
  /** Of the velocity's error. */
  readonly #integral = new Integral();
  /** Pulse width in units of the PWM registers, signed; the voltage that it gives, or undefined while switched off. */
  #pwm = 0;
  #volts: number | undefined;

  #gains: GainSet = { p: 0, i: 0, d: 0, first: 0, second: 0, velocityP: 0, velocityI: 0 };
  #mode: number = OperatingMode.position;
  #goal = 0;
  #goalVelocity = 0;
  #goalCurrent = 0;
  #currentLimit = 0;
  #pwmLimit = 0;
  #maxVelocity = Number.POSITIVE_INFINITY;
  #maxAcceleration = Number.POSITIVE_INFINITY;

  constructor(motor: MotorParameters, gearbox: Gearbox) {
    this.#motor = motor;
    this.#gearbox = gearbox;
  }

  /** Share of the full pulse width, -1 to 1. */
  get pwmShare(): number {
    return this.#pwm / FULL_PWM;
  }

  /** A at this velocity in rad/s, as measured in the motor's driver. */
  currentAt(velocity: number): number {
    if (this.#volts === undefined) return 0;
    const { resistance, backEmfConstant } = this.#motor;
    return (this.#volts - backEmfConstant * velocity) / resistance;
  }

  /** Reads goals, gains and limits from the control table. */
  configure(memory: ControlTable): void {
    const amperes = (name: "goalCurrent" | "currentLimit") => unitsToAmperes(memory.get(name));
    const mode = memory.get("operatingMode");
    if (mode !== this.#mode) this.#clearLoops();
    this.#mode = mode;
    this.#gains = gainsOf(memory, this.#motor.positionGainDivisor);
    this.#goal = memory.get("goalPosition");
    this.#goalVelocity = unitsToRadiansPerSecond(memory.get("goalVelocity"));
    this.#goalCurrent = amperes("goalCurrent");
    const isBased = mode === OperatingMode.currentBasedPosition;
    this.#currentLimit = Math.min(amperes("currentLimit"), isBased ? Math.abs(this.#goalCurrent) : Infinity);
    this.#pwmLimit = Math.min(memory.get("pwmLimit"), Math.abs(memory.get("goalPwm")));
    this.#maxVelocity = zeroAsNoLimit(unitsToRadiansPerSecond(memory.get("profileVelocity"))) * TICKS_PER_RADIAN;
    this.#maxAcceleration =
      zeroAsNoLimit(unitsToRadiansPerSecond2(memory.get("profileAcceleration"))) * TICKS_PER_RADIAN;
  }

  /** Switches the motor's driver off. */
  switchOff(): void {
    this.#pwm = 0;
    this.#volts = undefined;
    this.#clearLoops();
    this.#gearbox.supply(undefined);
  }

  /**
   * Advances by `dt` seconds with torque on.
   *
   * @param supply voltage of the supply
   * @param present value of the position register, ticks
   */
  advance(dt: number, supply: number, present: number): void {
    const velocity = this.#gearbox.velocity();
    const volts = Math.max(SUPPLY_RESOLUTION, SUPPLY_RESOLUTION * Math.round(supply / SUPPLY_RESOLUTION));
    const wanted = this.#wantedPwm(dt, present, velocity, volts);
    this.#pwm = Math.round(clamp(this.#limitCurrent(wanted, velocity, volts), this.#pwmLimit));
    this.#volts = (volts * this.#pwm) / FULL_PWM;
    this.#gearbox.supply(this.#volts);
  }

  #wantedPwm(dt: number, present: number, velocity: number, volts: number): number {
    if (this.#mode === OperatingMode.current) return this.#pwmFor(this.#goalCurrent, velocity, volts);
    if (this.#mode === OperatingMode.velocity) {
      const goal = this.#goalVelocity * TICKS_PER_RADIAN;
      this.profile.velocity = stepTowards(this.profile.velocity, goal, this.#maxAcceleration * dt);
      const target = radiansPerSecondToUnits(this.profile.velocity / TICKS_PER_RADIAN);
      const error = target - radiansPerSecondToUnits(velocity);
      return this.#gains.velocityP * error + this.#integral.advance(dt, error, this.#gains.velocityI);
    }
    this.profile.advance(dt, this.#goal, this.#maxVelocity, this.#maxAcceleration);
    return this.#position.advance(dt, this.profile, present, velocity * TICKS_PER_RADIAN, this.#gains);
  }

  /** The pulse width that gives this current at this velocity. */
  #pwmFor(amperes: number, velocity: number, volts: number): number {
    const { resistance, backEmfConstant } = this.#motor;
    return (FULL_PWM * (resistance * amperes + backEmfConstant * velocity)) / volts;
  }

  #limitCurrent(pwm: number, velocity: number, volts: number): number {
    const most = this.#pwmFor(this.#currentLimit, velocity, volts);
    const least = this.#pwmFor(-this.#currentLimit, velocity, volts);
    return Math.max(least, Math.min(most, pwm));
  }

  #clearLoops(): void {
    this.#position.clear();
    this.#integral.sum = 0;
  }

  save() {
    return {
      position: this.profile.position,
      velocity: this.profile.velocity,
      pwm: this.#pwm,
      volts: this.#volts,
      loops: [this.#position.save(), this.#integral.sum] as const,
    };
  }

  restore(state: ReturnType<MotorControl["save"]>): void {
    this.profile.position = state.position;
    this.profile.velocity = state.velocity;
    this.#pwm = state.pwm;
    this.#volts = state.volts;
    this.#position.restore(state.loops[0]);
    this.#integral.sum = state.loops[1];
  }
}
