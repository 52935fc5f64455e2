import { HardwareError } from "../../robot/servo/control-table.ts";
import type { ServoModel } from "../../robot/servo/models.ts";
import { unitsToVolts } from "../../robot/servo/units.ts";
import type { Memory } from "./memory.ts";
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

/** Temperature, overload and voltage of one servo, and the hardware errors that they amount to. */
export class Health {
  /** C */
  temperature = AMBIENT;
  readonly #model: ServoModel;
  /** Seconds of overload, going down again as fast as they came. */
  #overloaded = 0;
  /** Bits of `HardwareError`: whose cause is there, and which were so bad that only a restart clears them. */
  #present = 0;
  #tripped = 0;
  #limits = { temperature: 0, minVoltage: 0, maxVoltage: 0, shutdown: 0 };

  constructor(model: ServoModel) {
    this.#model = model;
  }

  /** Bits of `HardwareError`. Those of the shutdown mask stay; the others come and go with their cause. */
  get errors(): number {
    return this.#present | this.#tripped;
  }

  /** Whether the servo may not have torque until it restarts. */
  get hasTripped(): boolean {
    return this.#tripped !== 0;
  }

  /** Takes over what the control table says. */
  configure(memory: Memory): void {
    this.#limits = {
      temperature: memory.get("temperatureLimit"),
      minVoltage: unitsToVolts(memory.get("minVoltageLimit")),
      maxVoltage: unitsToVolts(memory.get("maxVoltageLimit")),
      shutdown: memory.get("shutdown"),
    };
  }

  /**
   * Moves on by `dt` seconds.
   *
   * @param current in A
   * @param volts at the servo
   * @param extraHeat K on top of the temperature
   */
  advance(dt: number, current: number, volts: number, extraHeat: number): void {
    const warm = AMBIENT + THERMAL_RESISTANCE * windingResistance(this.#model) * current * current;
    this.temperature += ((warm - this.temperature) * dt) / THERMAL_TIME;
    const over = Math.abs(current) > OVERLOAD_SHARE * this.#model.stallCurrent;
    this.#overloaded = Math.max(0, Math.min(OVERLOAD_TIME, this.#overloaded + (over ? dt : -dt)));
    const { temperature, minVoltage, maxVoltage, shutdown } = this.#limits;
    this.#present =
      (volts < minVoltage || volts > maxVoltage ? HardwareError.inputVoltage : 0) |
      (this.temperature + extraHeat > temperature ? HardwareError.overheating : 0) |
      (this.#overloaded >= OVERLOAD_TIME ? HardwareError.overload : 0);
    this.#tripped |= this.#present & shutdown;
  }

  /** Errors and overload are forgotten; the heat is not. */
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
