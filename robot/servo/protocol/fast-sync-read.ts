import { crc16 } from "./crc.ts";
import { BROADCAST_ID, CRC_LENGTH, Instruction, PREFIX_LENGTH, type StatusPacket } from "./packet.ts";

/** One servo's part of a fast sync read reply. */
interface FastSyncBlock {
  id: number;
  error: number;
  data: Uint8Array;
}

/** Bytes that a block adds to its data: error, id and CRC. */
const BLOCK_OVERHEAD = 2 + CRC_LENGTH;

/**
 * The reply that several servos send together: after the shared header each appends error, id, data and the CRC of
 * all bytes so far, so the last CRC is the packet's. It is not stuffed.
 *
 * @param blocks at least one; data of the same length in all of them
 */
export function encodeFastSyncStatus(blocks: readonly FastSyncBlock[]): Uint8Array {
  const length = 1 + blocks.reduce((sum, block) => sum + block.data.length + BLOCK_OVERHEAD, 0);
  const bytes = new Uint8Array(PREFIX_LENGTH + length);
  bytes.set([0xff, 0xff, 0xfd, 0x00, BROADCAST_ID, length & 0xff, length >> 8, Instruction.status]);
  let end = PREFIX_LENGTH + 1;
  for (const { id, error, data } of blocks) {
    bytes[end] = error;
    bytes[end + 1] = id;
    bytes.set(data, end + 2);
    end += 2 + data.length;
    const crc = crc16(bytes, 0, end);
    bytes[end] = crc & 0xff;
    bytes[end + 1] = crc >> 8;
    end += CRC_LENGTH;
  }
  return bytes;
}

/**
 * Splits the reply into one block for each servo. The parser has checked the last CRC, which covers all of it.
 *
 * @param length bytes that were read of each servo
 */
export function decodeFastSyncStatus(packet: StatusPacket, length: number): FastSyncBlock[] {
  const body = Uint8Array.of(packet.error, ...packet.params);
  const blocks: FastSyncBlock[] = [];
  for (let at = 0; at + 2 + length <= body.length; at += length + BLOCK_OVERHEAD) {
    blocks.push({ error: body[at] ?? 0, id: body[at + 1] ?? 0, data: body.slice(at + 2, at + 2 + length) });
  }
  return blocks;
}
