import { stuff } from "./byte-stuffing.ts";
import { crc16 } from "./crc.ts";

/** Instruction byte of a packet; a status packet (a servo's reply) carries `status`. Protocol 2.0. */
export const Instruction = {
  ping: 0x01,
  read: 0x02,
  write: 0x03,
  regWrite: 0x04,
  action: 0x05,
  factoryReset: 0x06,
  reboot: 0x08,
  clear: 0x10,
  backup: 0x20,
  status: 0x55,
  syncRead: 0x82,
  syncWrite: 0x83,
  fastSyncRead: 0x8a,
  bulkRead: 0x92,
  bulkWrite: 0x93,
  fastBulkRead: 0x9a,
} as const;

/** Why a servo refused an instruction: the low seven bits of a status packet's error byte, as a number. */
export const StatusError = {
  none: 0,
  resultFail: 1,
  instruction: 2,
  crc: 3,
  dataRange: 4,
  dataLength: 5,
  dataLimit: 6,
  access: 7,
} as const;
export type StatusError = (typeof StatusError)[keyof typeof StatusError];

/** Bit 7 of the error byte: the servo has a hardware error; its register `hardwareErrorStatus` has the details. */
export const ALERT = 0x80;
/** Addresses all servos. */
export const BROADCAST_ID = 0xfe;
/** Highest id that a servo can have. */
export const MAX_ID = 252;
/** Largest LEN field that either end accepts: nine servos need far less, and a wrong LEN must not block the bus. */
export const MAX_LENGTH = 1024;
/** Bytes before the instruction: header, id, LEN. */
export const PREFIX_LENGTH = 7;
export const CRC_LENGTH = 2;

/** The two bytes at an index as a number, little endian. */
export const wordAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

/** Sent by the master. `params` is unstuffed. */
export interface InstructionPacket {
  kind: "instruction";
  id: number;
  instruction: number;
  params: Uint8Array;
}

/** Sent by a servo as its answer. `error` is the whole error byte with the alert bit; `params` is unstuffed. */
export interface StatusPacket {
  kind: "status";
  id: number;
  error: number;
  params: Uint8Array;
}
/** A request whose CRC is wrong: a servo answers it with `StatusError.crc`. */
export interface DamagedRequest {
  kind: "damaged";
  id: number;
  instruction: number;
}
export type Packet = InstructionPacket | StatusPacket | DamagedRequest;

/**
 * Adds header, length and CRC to a body that is stuffed already.
 *
 * @throws RangeError when the id is not 0..254 or the body does not fit into one frame
 */
function frame(id: number, body: Uint8Array): Uint8Array {
  if (!Number.isInteger(id) || id < 0 || id > BROADCAST_ID) throw new RangeError(`servo id ${id}: use 0 to 254`);
  const length = body.length + CRC_LENGTH;
  if (length > MAX_LENGTH) {
    throw new RangeError(`a packet of length ${length}: at most ${MAX_LENGTH}; split it over several packets`);
  }
  const bytes = new Uint8Array(PREFIX_LENGTH + length);
  bytes.set([0xff, 0xff, 0xfd, 0x00, id, length & 0xff, length >> 8]);
  bytes.set(body, PREFIX_LENGTH);
  const end = PREFIX_LENGTH + body.length;
  const crc = crc16(bytes, 0, end);
  bytes[end] = crc & 0xff;
  bytes[end + 1] = crc >> 8;
  return bytes;
}

/** An instruction packet's bytes, stuffed. @throws RangeError when the id is not 0..254 or the packet is too long */
export function encodeInstruction(id: number, instruction: number, params: ArrayLike<number> = []): Uint8Array {
  const body = new Uint8Array(1 + params.length);
  body[0] = instruction;
  body.set(params, 1);
  return frame(id, stuff(body));
}

/** A status packet's bytes, stuffed. @throws RangeError when the id is not 0..254 or the packet is too long */
export function encodeStatus(id: number, error: number, params: ArrayLike<number> = []): Uint8Array {
  const body = new Uint8Array(2 + params.length);
  body[0] = Instruction.status;
  body[1] = error;
  body.set(params, 2);
  return frame(id, stuff(body));
}

/** One servo's part of the reply to a fast sync or bulk read. */
export interface FastSyncBlock {
  id: number;
  error: number;
  data: Uint8Array;
}

/** Bytes that a fast sync block adds to its data: error, id and CRC. */
export const FAST_SYNC_OVERHEAD = 2 + CRC_LENGTH;

/**
 * The reply that several servos send together: after the shared header each appends error, id, data and the CRC of
 * all bytes so far, so the last CRC is the packet's. It is not stuffed.
 *
 * @param blocks at least one
 */
export function encodeFastSyncStatus(blocks: readonly FastSyncBlock[]): Uint8Array {
  const length = 1 + blocks.reduce((sum, block) => sum + block.data.length + FAST_SYNC_OVERHEAD, 0);
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
