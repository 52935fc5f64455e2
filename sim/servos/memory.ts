import {
  encodeValue,
  REGISTER_NAMES,
  REGISTERS,
  type RegisterName,
  TABLE_SIZE,
} from "../../robot/servo/control-table.ts";
import { registerOf, type ServoModel } from "../../robot/servo/models.ts";

/** What a control table shall hold, by register. */
export type Settings = Readonly<Partial<Record<RegisterName, number>>>;

/** RAM that belongs to an operating mode. */
const OF_MODE = [
  "velocityIGain",
  "velocityPGain",
  "positionDGain",
  "positionIGain",
  "positionPGain",
  "feedforward2ndGain",
  "feedforward1stGain",
  "profileAcceleration",
  "profileVelocity",
] as const satisfies readonly RegisterName[];

/** RAM that a backup saves and a start can restore: what a user tunes, not what moves the motor. */
const BACKED_UP = ["led", "statusReturnLevel", ...OF_MODE] as const satisfies readonly RegisterName[];

/** The bytes of a servo's control table, with typed access by register. Holes between registers read as zero. */
export class Memory {
  readonly #bytes = new Uint8Array(TABLE_SIZE);
  readonly #view = new DataView(this.#bytes.buffer);
  #backup: Settings | undefined;

  get(name: RegisterName): number {
    const { address, size, signed } = REGISTERS[name];
    if (size === 1) return signed ? this.#view.getInt8(address) : this.#view.getUint8(address);
    if (size === 2) return signed ? this.#view.getInt16(address, true) : this.#view.getUint16(address, true);
    return signed ? this.#view.getInt32(address, true) : this.#view.getUint32(address, true);
  }

  set(name: RegisterName, value: number): void {
    this.#bytes.set(encodeValue(REGISTERS[name], value), REGISTERS[name].address);
  }

  setAll(settings: Settings): void {
    for (const [name, value] of Object.entries(settings)) this.set(name as RegisterName, value);
  }

  /** A copy of `length` bytes from `address`. */
  bytes(address: number, length: number): Uint8Array {
    return this.#bytes.slice(address, address + length);
  }

  /** Puts one area to the model's initial values, but for the registers in `keep`. */
  initialise(model: ServoModel, area: "eeprom" | "ram", keep: readonly RegisterName[] = []): void {
    for (const name of REGISTER_NAMES) {
      if (REGISTERS[name].area === area && !keep.includes(name)) this.set(name, registerOf(model, name).initial);
    }
  }

  /**
   * A changed operating mode begins with the model's gains, without a profile, and with all the power that the limits
   * allow (the maker's manual, "Operating Mode").
   */
  enterMode(model: ServoModel): void {
    for (const name of OF_MODE) this.set(name, registerOf(model, name).initial);
    this.setAll({ goalPwm: this.get("pwmLimit"), goalCurrent: this.get("currentLimit") });
  }

  get hasBackup(): boolean {
    return this.#backup !== undefined;
  }

  backUp(): void {
    this.#backup = Object.fromEntries(BACKED_UP.map((name) => [name, this.get(name)]));
  }

  restoreBackup(): void {
    if (this.#backup !== undefined) this.setAll(this.#backup);
  }

  dropBackup(): void {
    this.#backup = undefined;
  }

  save(): { bytes: number[]; backup: Settings | undefined } {
    return { bytes: [...this.#bytes], backup: this.#backup };
  }

  restore(state: ReturnType<Memory["save"]>): void {
    this.#bytes.set(state.bytes);
    this.#backup = state.backup;
  }
}
