import { BACKUP_RESTORE, BACKUP_STORE, CLEAR_TURNS, FactoryReset } from "../../../robot/servo/protocol/instructions.ts";
import { BROADCAST_ID, Instruction, StatusError, wordAt } from "../../../robot/servo/protocol/packet.ts";
import { REGISTERS } from "../../../robot/servo/registers/control-table.ts";
import type { Servo } from "../servo.ts";
import { checkRead, planWrite } from "./write-rules.ts";

/** Result of an instruction: an error byte (alert bit included) and data. */
export interface InstructionResult {
  error: number;
  data: Uint8Array;
}

const EMPTY = new Uint8Array(0);
/** The lowest address of the RAM. */
const RAM_START = REGISTERS.torqueEnable.address;
const hasBytes = (params: Uint8Array, word: readonly number[]) =>
  params.length === word.length && word.every((byte, i) => params[i] === byte);

/** Whether the servo's status return level allows a reply to this instruction. */
export function repliesTo(servo: Servo, instruction: number): boolean {
  const level = servo.controlTable.get("statusReturnLevel");
  if (instruction === Instruction.ping) return true;
  return instruction === Instruction.read ? level >= 1 : level >= 2;
}

/**
 * Executes an instruction on one servo.
 *
 * @param id the packet's address: the servo's id or 254 (broadcast)
 */
export function execute(servo: Servo, instruction: number, params: Uint8Array, id: number): InstructionResult {
  let data: Uint8Array = EMPTY;
  let error: number;
  if (instruction === Instruction.ping) {
    data = Uint8Array.of(...servo.controlTable.bytes(0, 2), servo.controlTable.get("firmwareVersion"));
    error = StatusError.none;
  } else if (instruction === Instruction.read) {
    error = params.length === 4 ? checkRead(wordAt(params, 0), wordAt(params, 2)) : StatusError.dataLength;
    if (error === StatusError.none) {
      servo.updateMeasurements();
      data = servo.controlTable.bytes(wordAt(params, 0), wordAt(params, 2));
    }
  } else {
    error = executeChange(servo, instruction, params, id);
  }
  return { error: error | servo.alert, data };
}

/** Instructions that a group of servos carries out when they are sent to its secondary id. */
const TO_GROUPS: readonly number[] = [Instruction.write, Instruction.regWrite, Instruction.action];

/** Executes an instruction that was sent to a servo's secondary id: it changes RAM only. */
export function executeInGroup(servo: Servo, instruction: number, params: Uint8Array): void {
  const isToRam = instruction === Instruction.action || wordAt(params, 0) >= RAM_START;
  if (TO_GROUPS.includes(instruction) && isToRam) executeChange(servo, instruction, params, servo.id);
}

function executeChange(servo: Servo, instruction: number, params: Uint8Array, id: number): StatusError {
  switch (instruction) {
    case Instruction.write:
    case Instruction.regWrite: {
      if (params.length < 2) return StatusError.dataLength;
      const plan = planWrite(servo.controlTable, servo.model, wordAt(params, 0), params.subarray(2));
      if (typeof plan === "number") return plan;
      if (instruction === Instruction.write) servo.apply(plan);
      else servo.setRegisteredWrite(plan);
      return StatusError.none;
    }
    case Instruction.action: {
      if (servo.registered === undefined) return StatusError.instruction;
      servo.apply(servo.registered);
      servo.setRegisteredWrite(undefined);
      return StatusError.none;
    }
    case Instruction.reboot:
      servo.reboot();
      return StatusError.none;
    case Instruction.factoryReset:
      return factoryReset(servo, params, id);
    case Instruction.clear:
      if (!hasBytes(params, CLEAR_TURNS)) return StatusError.resultFail;
      return servo.clearTurns() ? StatusError.none : StatusError.resultFail;
    case Instruction.backup:
      return backUpOrRestore(servo, params);
    default:
      return StatusError.instruction;
  }
}

function backUpOrRestore(servo: Servo, params: Uint8Array): StatusError {
  const { controlTable } = servo;
  if (controlTable.get("torqueEnable") === 1) return StatusError.resultFail;
  if (hasBytes(params, BACKUP_STORE)) {
    controlTable.backUp();
    return StatusError.none;
  }
  if (!hasBytes(params, BACKUP_RESTORE) || !controlTable.hasBackup) return StatusError.resultFail;
  controlTable.restoreBackup("eeprom");
  servo.reboot();
  return StatusError.none;
}

/** A broadcast reset of all settings is refused: it would give every servo the same id. */
function factoryReset(servo: Servo, params: Uint8Array, id: number): StatusError {
  const [mode] = params;
  const keep = {
    [FactoryReset.keepNothing]: [],
    [FactoryReset.keepId]: ["id"],
    [FactoryReset.keepIdAndBaud]: ["id", "baudRate"],
  } as const;
  if (params.length !== 1 || mode === undefined || !(mode in keep)) return StatusError.resultFail;
  if (mode === FactoryReset.keepNothing && id === BROADCAST_ID) return StatusError.resultFail;
  servo.controlTable.initialise(servo.model, "eeprom", keep[mode as FactoryReset]);
  servo.controlTable.dropBackup();
  servo.reboot();
  return StatusError.none;
}
