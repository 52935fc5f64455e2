import {
  INDIRECT,
  REGISTER_NAMES,
  REGISTERS,
  type Register,
  type RegisterName,
  TABLE_SIZE,
} from "../../robot/servo/registers/control-table.ts";
import { registerOf, type ServoModel } from "../../robot/servo/registers/models.ts";

/** Register values. */
export type Settings = Readonly<Partial<Record<RegisterName, number>>>;

/** RAM registers that a change of the operating mode resets. */
const MODE_REGISTERS = [
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

/**
 * What a backup has: the EEPROM, and of the RAM gains, profile and indirect addresses (protocol 2.0, "Control Table Backup").
 * Power-on can restore the RAM's part, an instruction the EEPROM's.
 */
const isBackedUp = (name: RegisterName): boolean =>
  REGISTERS[name].access === "rw" &&
  (REGISTERS[name].area === "eeprom" ||
    name.startsWith("indirectAddress") ||
    (MODE_REGISTERS as readonly RegisterName[]).includes(name));
const BACKUP_REGISTERS = REGISTER_NAMES.filter(isBackedUp);

/** The bytes of a servo's control table, with access by register. Addresses between registers read as zero. */
export class ControlTable {
  readonly #bytes = new Uint8Array(TABLE_SIZE);
  readonly #view = new DataView(this.#bytes.buffer);
  #backup: Settings | undefined;

  get(name: RegisterName): number {
    return this.read(REGISTERS[name]);
  }

  /** Like `get`, for what is read in every step: a register is found by its name only after a search. */
  read({ address, size, signed }: Register): number {
    if (size === 1) return signed ? this.#view.getInt8(address) : this.#view.getUint8(address);
    if (size === 2) return signed ? this.#view.getInt16(address, true) : this.#view.getUint16(address, true);
    return signed ? this.#view.getInt32(address, true) : this.#view.getUint32(address, true);
  }

  set(name: RegisterName, value: number): void {
    this.write(REGISTERS[name], value);
  }

  /** Like `set`, for what is written in every step. */
  write({ address, size }: Register, value: number): void {
    if (size === 1) this.#view.setUint8(address, value);
    else if (size === 2) this.#view.setUint16(address, value, true);
    else this.#view.setUint32(address, value, true);
  }

  setAll(settings: Settings): void {
    for (const [name, value] of Object.entries(settings)) this.set(name as RegisterName, value);
  }

  /** A copy of `length` bytes from `address`; of indirect data, the bytes that it leads to. */
  bytes(address: number, length: number): Uint8Array {
    const bytes = this.#bytes.slice(address, address + length);
    for (let at = Math.max(0, INDIRECT.data - address); at < bytes.length; at++)
      bytes[at] = this.#bytes[this.targetOf(address + at)] ?? 0;
    return bytes;
  }

  /** The address of the byte that is read and written at an address: another one for indirect data. */
  targetOf(address: number): number {
    if (address < INDIRECT.data) return address;
    return this.#view.getUint16(INDIRECT.addresses + 2 * (address - INDIRECT.data), true);
  }

  /** Resets one area to the model's initial values, except the registers in `keep`. */
  initialise(model: ServoModel, area: "eeprom" | "ram", keep: readonly RegisterName[] = []): void {
    for (const name of REGISTER_NAMES) {
      if (REGISTERS[name].area === area && !keep.includes(name)) this.set(name, registerOf(model, name).initial);
    }
  }

  /**
   * Call when the operating mode has changed: resets gains and profile to the model's initial values, and the PWM and
   * current goals to their limits (the manufacturer's manual, "Operating Mode").
   */
  resetModeRegisters(model: ServoModel): void {
    for (const name of MODE_REGISTERS) this.set(name, registerOf(model, name).initial);
    this.setAll({ goalPwm: this.get("pwmLimit"), goalCurrent: this.get("currentLimit") });
  }

  get hasBackup(): boolean {
    return this.#backup !== undefined;
  }

  backUp(): void {
    this.#backup = Object.fromEntries(BACKUP_REGISTERS.map((name) => [name, this.get(name)]));
  }

  /** Sets the registers of one area as in the backup; does nothing without one. */
  restoreBackup(area: Register["area"]): void {
    for (const [name, value] of Object.entries(this.#backup ?? {}))
      if (REGISTERS[name as RegisterName].area === area) this.set(name as RegisterName, value);
  }

  dropBackup(): void {
    this.#backup = undefined;
  }

  save(): { bytes: Uint8Array; backup: Settings | undefined } {
    return { bytes: this.#bytes.slice(), backup: this.#backup };
  }

  restore(state: ReturnType<ControlTable["save"]>): void {
    this.#bytes.set(state.bytes);
    this.#backup = state.backup;
  }
}
