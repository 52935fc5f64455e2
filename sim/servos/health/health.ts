import { HardwareError } from "../../../robot/servo/registers/control-table.ts";
import type { ServoModel } from "../../../robot/servo/registers/models.ts";
import { unitsToVolts } from "../../../robot/servo/registers/units.ts";
import type { ControlTable } from "../control-table.ts";
import { MOTORS } from "../motor/motor-parameters.ts";

/*
 * Temperature and overload are first-order estimates: a stalled servo of this size reports overload after about two
 * seconds, and 0.5 A warms it by about 25 K over several minutes.
 */
/** C */
const AMBIENT = 25;
/** K per watt of winding loss in the steady state. */
const THERMAL_RESISTANCE = 30;
/** Seconds until the case reaches 63 % of the steady temperature. */
const THERMAL_TIME = 300;
/** Share of the stall current above which a load counts as overload. */
const OVERLOAD_SHARE = 0.8;
/** Seconds of overload after which the servo reports it. */
const OVERLOAD_TIME = 2;

/** Temperature, overload and voltage of one servo, and the resulting hardware errors. */
export class Health {
  /** C */
  temperature = AMBIENT;
  readonly #model: ServoModel;
  /** Seconds of overload; decreases without overload at the same rate. */
  #overloaded = 0;
  /** Bits of `HardwareError`: those with a present cause, and those that stay until a restart. */
  #present = 0;
  #tripped = 0;
  #limits = { temperature: 0, minVoltage: 0, maxVoltage: 0, shutdown: 0 };

  constructor(model: ServoModel) {
    this.#model = model;
  }

  /** Bits of `HardwareError`. Those in the shutdown mask stay until a restart; the others last as long as their cause. */
  get errors(): number {
    return this.#present | this.#tripped;
  }

  /** Whether torque stays off until a restart. */
  get hasTripped(): boolean {
    return this.#tripped !== 0;
  }

  /** Reads the limits from the control table. */
  configure(memory: ControlTable): void {
    this.#limits = {
      temperature: memory.get("temperatureLimit"),
      minVoltage: unitsToVolts(memory.get("minVoltageLimit")),
      maxVoltage: unitsToVolts(memory.get("maxVoltageLimit")),
      shutdown: memory.get("shutdown"),
    };
  }

  /**
   * Advances by `dt` seconds.
   *
   * @param current in A
   * @param volts at the servo
   * @param extraHeat K, added to the temperature
   */
  advance(dt: number, current: number, volts: number, extraHeat: number): void {
    const steadyTemperature = AMBIENT + THERMAL_RESISTANCE * MOTORS[this.#model.name].resistance * current * current;
    this.temperature += ((steadyTemperature - this.temperature) * dt) / THERMAL_TIME;
    const over = Math.abs(current) > OVERLOAD_SHARE * this.#model.stallCurrent;
    this.#overloaded = Math.max(0, Math.min(OVERLOAD_TIME, this.#overloaded + (over ? dt : -dt)));
    const { temperature, minVoltage, maxVoltage, shutdown } = this.#limits;
    this.#present =
      (volts < minVoltage || volts > maxVoltage ? HardwareError.inputVoltage : 0) |
      (this.temperature + extraHeat > temperature ? HardwareError.overheating : 0) |
      (this.#overloaded >= OVERLOAD_TIME ? HardwareError.overload : 0);
    this.#tripped |= this.#present & shutdown;
  }

  /** Clears errors and overload; the temperature stays. */
  restart(): void {
    this.#overloaded = 0;
    this.#present = 0;
    this.#tripped = 0;
  }

  save(): { temperature: number; overloaded: number; present: number; tripped: number } {
    const { temperature } = this;
    return { temperature, overloaded: this.#overloaded, present: this.#present, tripped: this.#tripped };
  }

  restore(state: ReturnType<Health["save"]>): void {
    this.temperature = state.temperature;
    this.#overloaded = state.overloaded;
    this.#present = state.present;
    this.#tripped = state.tripped;
  }
}
