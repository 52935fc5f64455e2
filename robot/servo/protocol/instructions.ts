import { BROADCAST_ID, encodeInstruction, Instruction } from "./packet.ts";

/** The two bytes of a number, little endian. */
export const word = (value: number) => [value & 0xff, (value >> 8) & 0xff];

/** What `factoryReset` keeps. */
export const FactoryReset = { keepNothing: 0xff, keepId: 0x01, keepIdAndBaud: 0x02 } as const;
export type FactoryReset = (typeof FactoryReset)[keyof typeof FactoryReset];

/** Parameters that a servo requires with the instructions Clear and Backup, so that random bytes do not trigger them. */
export const CLEAR_TURNS = [0x01, 0x44, 0x58, 0x4c, 0x22] as const;
export const BACKUP_STORE = [0x01, 0x43, 0x54, 0x52, 0x4c] as const;
export const BACKUP_RESTORE = [0x02, 0x43, 0x54, 0x52, 0x4c] as const;

/** Bytes of one servo in a sync write. */
export interface SyncWriteEntry {
  id: number;
  data: ArrayLike<number>;
}

/** A servo answers with model number (2 bytes) and firmware version (1). Id 254 addresses all. */
export const ping = (id: number) => encodeInstruction(id, Instruction.ping);

/** Reads `length` bytes of one servo's control table. */
export const read = (id: number, address: number, length: number) =>
  encodeInstruction(id, Instruction.read, [...word(address), ...word(length)]);

/** Writes bytes into one servo's control table (id 254: into all, without a reply). */
export const write = (id: number, address: number, data: ArrayLike<number>) =>
  encodeInstruction(id, Instruction.write, [...word(address), ...Array.from(data)]);

export const factoryReset = (id: number, mode: FactoryReset) => encodeInstruction(id, Instruction.factoryReset, [mode]);

/** Restarts a servo: torque off, hardware error cleared, RAM as at power-on. */
export const reboot = (id: number) => encodeInstruction(id, Instruction.reboot);

/** Reads the same range of several servos; each answers with its own packet, in the order of `ids`. */
export const syncRead = (address: number, length: number, ids: ArrayLike<number>) =>
  encodeInstruction(BROADCAST_ID, Instruction.syncRead, [...word(address), ...word(length), ...Array.from(ids)]);

/**
 * Writes the same range of several servos with one packet; there is no reply.
 *
 * @throws RangeError when an entry does not have `length` bytes
 */
export function syncWrite(address: number, length: number, entries: readonly SyncWriteEntry[]): Uint8Array {
  const params = [...word(address), ...word(length)];
  for (const { id, data } of entries) {
    if (data.length !== length) throw new RangeError(`servo ${id}: ${data.length} bytes in a sync write of ${length}`);
    params.push(id, ...Array.from(data));
  }
  return encodeInstruction(BROADCAST_ID, Instruction.syncWrite, params);
}
