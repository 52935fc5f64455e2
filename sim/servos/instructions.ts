import { BACKUP_STORE, CLEAR_TURNS, FactoryReset } from "../../robot/servo/instructions.ts";
import { BROADCAST_ID, Instruction, StatusError, wordAt } from "../../robot/servo/packet.ts";
import type { Servo } from "./servo.ts";
import { checkRead, planWrite } from "./write-rules.ts";

/** What a servo has to say to an instruction: an error byte (alert bit included) and data. */
export interface Answer {
  error: number;
  data: Uint8Array;
}

const EMPTY = new Uint8Array(0);
const isWord = (params: Uint8Array, word: readonly number[]) =>
  params.length === word.length && word.every((byte, i) => params[i] === byte);

/** Whether the servo's status return level has it answer this instruction at all. */
export function answers(servo: Servo, instruction: number): boolean {
  const level = servo.memory.get("statusReturnLevel");
  if (instruction === Instruction.ping) return true;
  return instruction === Instruction.read ? level >= 1 : level >= 2;
}

/**
 * Has one servo carry out an instruction that was meant for it.
 *
 * @param id what the packet was addressed to, its own id or 254
 */
export function execute(servo: Servo, instruction: number, params: Uint8Array, id: number): Answer {
  let data: Uint8Array = EMPTY;
  let error: number;
  if (instruction === Instruction.ping) {
    data = Uint8Array.of(...servo.memory.bytes(0, 2), servo.memory.get("firmwareVersion"));
    error = StatusError.none;
  } else if (instruction === Instruction.read) {
    error = params.length === 4 ? checkRead(wordAt(params, 0), wordAt(params, 2)) : StatusError.dataLength;
    if (error === StatusError.none) {
      servo.measure();
      data = servo.memory.bytes(wordAt(params, 0), wordAt(params, 2));
    }
  } else {
    error = change(servo, instruction, params, id);
  }
  return { error: error | servo.alert, data };
}

function change(servo: Servo, instruction: number, params: Uint8Array, id: number): StatusError {
  switch (instruction) {
    case Instruction.write:
    case Instruction.regWrite: {
      if (params.length < 2) return StatusError.dataLength;
      const plan = planWrite(servo.memory, servo.model, wordAt(params, 0), params.subarray(2));
      if (typeof plan === "number") return plan;
      if (instruction === Instruction.write) servo.apply(plan);
      else servo.register(plan);
      return StatusError.none;
    }
    case Instruction.action: {
      if (servo.registered === undefined) return StatusError.instruction;
      servo.apply(servo.registered);
      servo.register(undefined);
      return StatusError.none;
    }
    case Instruction.reboot:
      servo.reboot();
      return StatusError.none;
    case Instruction.factoryReset:
      return factoryReset(servo, params, id);
    case Instruction.clear:
      if (!isWord(params, CLEAR_TURNS)) return StatusError.resultFail;
      return servo.clearTurns() ? StatusError.none : StatusError.resultFail;
    case Instruction.backup:
      if (!isWord(params, BACKUP_STORE) || servo.memory.get("torqueEnable") === 1) return StatusError.resultFail;
      servo.memory.backUp();
      return StatusError.none;
    default:
      return StatusError.instruction;
  }
}

/** A broadcast reset of everything is refused: it would give every servo the same id. */
function factoryReset(servo: Servo, params: Uint8Array, id: number): StatusError {
  const [mode] = params;
  const keep = {
    [FactoryReset.all]: [],
    [FactoryReset.keepId]: ["id"],
    [FactoryReset.keepIdAndBaud]: ["id", "baudRate"],
  } as const;
  if (params.length !== 1 || mode === undefined || !(mode in keep)) return StatusError.resultFail;
  if (mode === FactoryReset.all && id === BROADCAST_ID) return StatusError.resultFail;
  servo.memory.initialise(servo.model, "eeprom", keep[mode as FactoryReset]);
  servo.memory.dropBackup();
  servo.reboot();
  return StatusError.none;
}
