import { StatusError } from "../../../robot/servo/protocol/packet.ts";
import {
  decodeValue,
  OperatingMode,
  REGISTER_NAMES,
  REGISTERS,
  type Register,
  type RegisterName,
  TABLE_SIZE,
} from "../../../robot/servo/registers/control-table.ts";
import { registerOf, type ServoModel } from "../../../robot/servo/registers/models.ts";
import type { ControlTable } from "../control-table.ts";

/** One register value that a write sets. */
export interface Assignment {
  readonly name: RegisterName;
  readonly value: number;
}

const REGISTER_AT = new Map<number, RegisterName>(REGISTER_NAMES.map((name) => [REGISTERS[name].address, name]));

/** Registers that are locked after the watchdog has fired. */
const GOAL_REGISTERS: readonly RegisterName[] = ["goalPwm", "goalCurrent", "goalVelocity", "goalPosition"];

/** Values that this firmware models; others are refused, so that no client assumes an effect. */
const SUPPORTED_VALUES: Readonly<Partial<Record<RegisterName, readonly number[]>>> = {
  driveMode: [0],
  operatingMode: Object.values(OperatingMode),
  protocolType: [2],
};

/** The error with which a read of `length` bytes from `address` is refused; `StatusError.none` when it is allowed. */
export function checkRead(address: number, length: number): StatusError {
  if (length === 0) return StatusError.dataLength;
  return address + length > TABLE_SIZE ? StatusError.access : StatusError.none;
}

/**
 * The registers that a write sets, in order, or the error with which the servo refuses the whole write.
 * A write covers any number of adjacent whole registers.
 */
export function planWrite(
  memory: ControlTable,
  model: ServoModel,
  address: number,
  data: Uint8Array,
): Assignment[] | Exclude<StatusError, 0> {
  if (data.length === 0) return StatusError.dataLength;
  if (address + data.length > TABLE_SIZE) return StatusError.access;
  const plan: Assignment[] = [];
  for (let at = 0; at < data.length; ) {
    const name = REGISTER_AT.get(memory.targetOf(address + at));
    if (name === undefined) return StatusError.access;
    const register = REGISTERS[name];
    if (at + register.size > data.length) return StatusError.dataLength;
    if (!isWhole(memory, address + at, register)) return StatusError.access;
    const value = decodeValue(register, data, at);
    const error = checkValue(memory, model, name, value);
    if (error !== StatusError.none) return error;
    plan.push({ name, value });
    at += register.size;
  }
  return plan;
}

/** Whether the addresses from one on lead to all bytes of a register, in order: always but for indirect data. */
function isWhole(memory: ControlTable, from: number, register: Register): boolean {
  for (let offset = 0; offset < register.size; offset += 1) {
    if (memory.targetOf(from + offset) !== register.address + offset) return false;
  }
  return true;
}

function checkValue(memory: ControlTable, model: ServoModel, name: RegisterName, value: number): StatusError {
  const { access, area, min, max } = registerOf(model, name);
  if (access === "r") return StatusError.access;
  if (area === "eeprom" && memory.get("torqueEnable") === 1) return StatusError.access;
  const watchdogFired = memory.get("busWatchdog") < 0;
  if (name === "busWatchdog" && (value < 0 || (watchdogFired && value > 0))) return StatusError.dataRange;
  if (watchdogFired && GOAL_REGISTERS.includes(name)) return StatusError.dataRange;
  // The range of these registers is the value of others (their column "Range"): a limit, and no range error.
  const limits = limitsOf(memory, name);
  if (limits !== null) return value < limits[0] || value > limits[1] ? StatusError.dataLimit : StatusError.none;
  const isInRange = value >= min && value <= max && SUPPORTED_VALUES[name]?.includes(value) !== false;
  return isInRange ? StatusError.none : StatusError.dataRange;
}

/** Limits from other registers; null for a register that has a range of its own, as multi-turn positions. */
function limitsOf(memory: ControlTable, name: RegisterName): [least: number, most: number] | null {
  const within = (limit: RegisterName): [number, number] => [-memory.get(limit), memory.get(limit)];
  if (name === "goalPwm") return within("pwmLimit");
  if (name === "goalCurrent") return within("currentLimit");
  if (name === "goalVelocity") return within("velocityLimit");
  if (name === "goalPosition" && memory.get("operatingMode") === OperatingMode.position) {
    return [memory.get("minPositionLimit"), memory.get("maxPositionLimit")];
  }
  return null;
}
