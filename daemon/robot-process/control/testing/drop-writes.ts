import { syncWrite } from "../../../../robot/servo/protocol/instructions.ts";
import { Instruction } from "../../../../robot/servo/protocol/packet.ts";
import { REGISTERS, type RegisterName } from "../../../../robot/servo/registers/control-table.ts";
import type { Wire } from "./simulated-link.ts";

/** Offsets in an instruction packet (protocol 2.0): the address is followed by data, or by the length of each servo's data. */
const [ID, INSTRUCTION, ADDRESS, DATA, LENGTH, ENTRIES, CRC_SIZE] = [4, 7, 8, 10, 10, 12, 2];

/**
 * A cable that drops what is written to a register of one servo, whether to it alone or to several servos with one packet.
 *
 * @param value only the writes of this first byte; null for all
 */
export function dropWrites(id: number, register: RegisterName, value: number | null = null): Wire {
  const { address } = REGISTERS[register];
  const isDropped = (servo: number | undefined, first: number | undefined) =>
    servo === id && (value === null || first === value);
  return (bytes) => {
    if (bytes[ADDRESS] !== address) return bytes;
    if (bytes[INSTRUCTION] === Instruction.write) return isDropped(bytes[ID], bytes[DATA]) ? null : bytes;
    if (bytes[INSTRUCTION] !== Instruction.syncWrite) return bytes;
    const length = bytes[LENGTH] ?? 0;
    const entries: { id: number; data: Uint8Array }[] = [];
    for (let at = ENTRIES; at < bytes.length - CRC_SIZE; at += 1 + length) {
      const data = bytes.subarray(at + 1, at + 1 + length);
      if (!isDropped(bytes[at], data[0])) entries.push({ id: bytes[at] ?? 0, data });
    }
    return syncWrite(address, length, entries);
  };
}
