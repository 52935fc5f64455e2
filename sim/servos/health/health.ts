import { HardwareError } from "../../../robot/servo/registers/control-table.ts";
import type { ServoModel } from "../../../robot/servo/registers/models.ts";
import { voltsToUnits } from "../../../robot/servo/registers/units.ts";
import type { ControlTable } from "../control-table.ts";
import type { FaultState } from "./fault-state.ts";

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

/** Injected faults that count here. */
type HealthFaults = Pick<FaultState, "extraHeat" | "latch">;

/** Temperature, overload and voltage of one servo, and the resulting hardware errors. */
export class Health {
  /** C */
  temperature = AMBIENT;
  readonly #model: ServoModel;
  readonly #resistance: number;
  /** Seconds of overload; decreases without overload at the same rate. */
  #overloaded = 0;
  /** Bits of `HardwareError`: those with a present cause, and those that stay until a restart. */
  #present = 0;
  #tripped = 0;
  #isLatching = false;
  #limits = { temperature: 0, minVoltage: 0, maxVoltage: 0, shutdown: 0 };

  /** @param resistance ohms of the winding */
  constructor(model: ServoModel, resistance: number) {
    this.#model = model;
    this.#resistance = resistance;
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
      minVoltage: memory.get("minVoltageLimit"),
      maxVoltage: memory.get("maxVoltageLimit"),
      shutdown: memory.get("shutdown"),
    };
  }

  /**
   * Advances by `dt` seconds.
   *
   * @param current in A
   * @param volts at the servo
   * @param faults injected: K of heat, and a spike of the voltage
   */
  advance(dt: number, current: number, volts: number, { extraHeat, latch }: HealthFaults): void {
    const steadyTemperature = AMBIENT + THERMAL_RESISTANCE * this.#resistance * current * current;
    this.temperature += ((steadyTemperature - this.temperature) * dt) / THERMAL_TIME;
    const over = Math.abs(current) > OVERLOAD_SHARE * this.#model.stallCurrent;
    this.#overloaded = Math.max(0, Math.min(OVERLOAD_TIME, this.#overloaded + (over ? dt : -dt)));
    const { temperature, minVoltage, maxVoltage, shutdown } = this.#limits;
    // The manual compares the register Present Input Voltage, in steps of 0.1 V, with the limits.
    const voltage = voltsToUnits(volts);
    this.#present =
      (voltage < minVoltage || voltage > maxVoltage ? HardwareError.inputVoltage : 0) |
      (this.temperature + extraHeat > temperature ? HardwareError.overheating : 0) |
      (this.#overloaded >= OVERLOAD_TIME ? HardwareError.overload : 0);
    this.#tripped |= this.#present & shutdown;
    if (latch && !this.#isLatching) this.#tripped |= HardwareError.inputVoltage;
    this.#isLatching = latch;
  }

  /** Clears errors and overload; the temperature stays. */
  restart(): void {
    this.#overloaded = 0;
    this.#present = 0;
    this.#tripped = 0;
  }

  save() {
    return {
      temperature: this.temperature,
      overloaded: this.#overloaded,
      present: this.#present,
      tripped: this.#tripped,
      latching: this.#isLatching,
    };
  }

  restore(state: ReturnType<Health["save"]>): void {
    this.temperature = state.temperature;
    this.#overloaded = state.overloaded;
    this.#present = state.present;
    this.#tripped = state.tripped;
    this.#isLatching = state.latching;
  }
}
