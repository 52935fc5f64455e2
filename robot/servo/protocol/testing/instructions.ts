import { BACKUP_RESTORE, BACKUP_STORE, CLEAR_TURNS, type SyncWriteEntry, word } from "../instructions.ts";
import {
  BROADCAST_ID,
  encodeInstruction,
  FAST_SYNC_OVERHEAD,
  type FastSyncBlock,
  Instruction,
  type StatusPacket,
} from "../packet.ts";

export * from "../instructions.ts";

// Instructions that the simulated servos carry out and the daemon does not send.

/** A range of one servo's control table. */
interface BulkReadEntry {
  id: number;
  address: number;
  length: number;
}
interface BulkWriteEntry extends SyncWriteEntry {
  address: number;
}

/** A write that waits for `action`. */
export const regWrite = (id: number, address: number, data: ArrayLike<number>) =>
  encodeInstruction(id, Instruction.regWrite, [...word(address), ...Array.from(data)]);

export const action = (id: number) => encodeInstruction(id, Instruction.action);

/** Removes whole turns from the present position; the servo must not move meanwhile. */
export const clearTurns = (id: number) => encodeInstruction(id, Instruction.clear, CLEAR_TURNS);

/** Stores the control table in the servo's backup, or restores its EEPROM from there; torque must be off. */
export const backup = (id: number) => encodeInstruction(id, Instruction.backup, BACKUP_STORE);
export const restore = (id: number) => encodeInstruction(id, Instruction.backup, BACKUP_RESTORE);

/** As `syncRead`, but the servos share one reply packet (`encodeFastSyncStatus`). XL330 firmware 46 or newer. */
export const fastSyncRead = (address: number, length: number, ids: ArrayLike<number>) =>
  encodeInstruction(BROADCAST_ID, Instruction.fastSyncRead, [...word(address), ...word(length), ...Array.from(ids)]);

/** Reads a different range of each servo; they answer in the order of `entries`. */
export const bulkRead = (entries: readonly BulkReadEntry[], instruction: number = Instruction.bulkRead) =>
  encodeInstruction(
    BROADCAST_ID,
    instruction,
    entries.flatMap(({ id, address, length }) => [id, ...word(address), ...word(length)]),
  );

/** As `bulkRead`, but the servos share one reply packet. XL330 firmware 46 or newer. */
export const fastBulkRead = (entries: readonly BulkReadEntry[]) => bulkRead(entries, Instruction.fastBulkRead);

/** Writes a different range of each servo; there is no reply. */
export const bulkWrite = (entries: readonly BulkWriteEntry[]) =>
  encodeInstruction(
    BROADCAST_ID,
    Instruction.bulkWrite,
    entries.flatMap(({ id, address, data }) => [id, ...word(address), ...word(data.length), ...Array.from(data)]),
  );

/**
 * Splits the reply into one block for each servo. The parser has checked the last CRC, which covers all of it.
 *
 * @param length bytes that were read of each servo
 */
export function decodeFastSyncStatus(packet: StatusPacket, length: number): FastSyncBlock[] {
  const body = Uint8Array.of(packet.error, ...packet.params);
  const blocks: FastSyncBlock[] = [];
  for (let at = 0; at + 2 + length <= body.length; at += length + FAST_SYNC_OVERHEAD) {
    blocks.push({ error: body[at] ?? 0, id: body[at + 1] ?? 0, data: body.slice(at + 2, at + 2 + length) });
  }
  return blocks;
}
