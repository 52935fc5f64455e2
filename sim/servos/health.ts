import { HardwareError } from "../../robot/servo/control-table.ts";
import type { ServoModel } from "../../robot/servo/models.ts";
import { windingResistance } from "./motor.ts";

/*
 * Heat and overload are first-order estimates: a stalled servo of this size trips its overload protection after some
 * two seconds, and half an ampere warms it by about 25 K over several minutes.
 */
const AMBIENT = 25;
/** K that each watt of winding loss warms the case by in the end. */
const THERMAL_RESISTANCE = 30;
/** Seconds in which the case gets to 63 % of that. */
const THERMAL_TIME = 300;
/** A load beyond this share of the stall current counts as overload, */
const OVERLOAD_SHARE = 0.8;
/** and trips after this many seconds. */
const OVERLOAD_TIME = 2;

/** What the servo watches over; the limits come from its control table. */
export interface HealthLimits {
  /** C */
  temperature: number;
  /** V */
  minVoltage: number;
  maxVoltage: number;
}

/** Temperature and overload of one servo, and which hardware errors they and the voltage amount to. */
export class Health {
  /** C */
  temperature = AMBIENT;
  /** Seconds of overload, going down again as fast as they came. */
  overloaded = 0;
  limits: HealthLimits = {
    temperature: Number.POSITIVE_INFINITY,
    minVoltage: Number.NEGATIVE_INFINITY,
    maxVoltage: Number.POSITIVE_INFINITY,
  };
  readonly #model: ServoModel;

  constructor(model: ServoModel) {
    this.#model = model;
  }

  /**
   * Moves on by `dt` seconds and returns the bits of `HardwareError` whose causes are there.
   *
   * @param current in A, `volts` at the servo, `extraHeat` in K on top of the temperature
   */
  advance(dt: number, current: number, volts: number, extraHeat: number): number {
    const { limits } = this;
    const warm = AMBIENT + THERMAL_RESISTANCE * windingResistance(this.#model) * current * current;
    this.temperature += ((warm - this.temperature) * dt) / THERMAL_TIME;
    const over = Math.abs(current) > OVERLOAD_SHARE * this.#model.stallCurrent;
    this.overloaded = Math.max(0, Math.min(OVERLOAD_TIME, this.overloaded + (over ? dt : -dt)));
    return (
      (volts < limits.minVoltage || volts > limits.maxVoltage ? HardwareError.inputVoltage : 0) |
      (this.temperature + extraHeat > limits.temperature ? HardwareError.overheating : 0) |
      (this.overloaded >= OVERLOAD_TIME ? HardwareError.overload : 0)
    );
  }

  /** The overload is forgotten, as at a restart; the heat is not. */
  reset(): void {
    this.overloaded = 0;
  }

  save(): { temperature: number; overloaded: number } {
    return { temperature: this.temperature, overloaded: this.overloaded };
  }

  restore(state: ReturnType<Health["save"]>): void {
    this.temperature = state.temperature;
    this.overloaded = state.overloaded;
  }
}
