import { unstuff } from "./byte-stuffing.ts";
import { crc16 } from "./crc.ts";
import { BROADCAST_ID, CRC_LENGTH, Instruction, MAX_LENGTH, type Packet, PREFIX_LENGTH, wordAt } from "./packet.ts";

const CAPACITY = 4 * MAX_LENGTH;
const MIN_LENGTH = 3;

/**
 * Finds packets in a byte stream that arrives in chunks of any size. Garbage is skipped up to the next header; a packet
 * with a wrong CRC is dropped. Both ends of the bus use it, for instruction and status packets.
 *
 * It has one fixed buffer; each packet's parameters are a copy.
 */
export class StreamParser {
  /** Frames whose CRC was wrong. */
  crcErrors = 0;
  /** Bytes that belong to no valid packet. */
  junkBytes = 0;

  readonly #buffer = new Uint8Array(CAPACITY);
  readonly #reportsDamage: boolean;
  #start = 0;
  #end = 0;

  /** @param reportsDamage whether `push` also returns requests whose CRC is wrong */
  constructor(reportsDamage = false) {
    this.#reportsDamage = reportsDamage;
  }

  /** Bytes of a packet that is not complete yet. */
  get pendingBytes(): number {
    return this.#end - this.#start;
  }

  /** Takes the next bytes and returns the packets that are complete, in order. */
  push(chunk: Uint8Array): Packet[] {
    const packets: Packet[] = [];
    for (let taken = 0; taken < chunk.length; ) {
      taken += this.#append(chunk, taken);
      for (let packet = this.#next(); packet !== undefined; packet = this.#next()) packets.push(packet);
    }
    return packets;
  }

  /** Drops an incomplete packet, for when its sender has stopped in the middle of it. */
  reset(): void {
    this.#skip(this.pendingBytes);
  }

  /** Copies what fits and returns its length: at least a byte, since `#next` never leaves the buffer full. */
  #append(chunk: Uint8Array, from: number): number {
    if (this.#start > 0) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    const part = chunk.subarray(from, from + CAPACITY - this.#end);
    this.#buffer.set(part, this.#end);
    this.#end += part.length;
    return part.length;
  }

  #next(): Packet | undefined {
    const bytes = this.#buffer;
    for (;;) {
      this.#skip(this.#findHeader(this.#start, this.#end) - this.#start);
      if (this.pendingBytes < PREFIX_LENGTH + MIN_LENGTH) return undefined;
      const start = this.#start;
      const id = bytes[start + 4] ?? 0;
      const length = wordAt(bytes, start + 5);
      if (id > BROADCAST_ID || length < MIN_LENGTH || length > MAX_LENGTH) {
        this.#skip(1);
        continue;
      }
      const crcAt = start + PREFIX_LENGTH + length - CRC_LENGTH;
      if (crcAt + CRC_LENGTH > this.#end) {
        if (!this.#isCutOff(id, crcAt)) return undefined;
        this.#skip(1);
        continue;
      }
      if (crc16(bytes, start, crcAt) !== wordAt(bytes, crcAt)) {
        this.crcErrors++;
        const instruction = bytes[start + PREFIX_LENGTH] ?? 0;
        const isRequest = instruction !== Instruction.status && !this.#isCutOff(id, crcAt);
        this.#skip(1);
        if (this.#reportsDamage && isRequest) return { kind: "damaged", id, instruction };
        continue;
      }
      this.#start = crcAt + CRC_LENGTH;
      const packet = decodeBody(id, bytes.subarray(start + PREFIX_LENGTH, crcAt));
      if (packet !== undefined) return packet;
      this.junkBytes += PREFIX_LENGTH + length;
    }
  }

  /** First index from `from` on where a header is, or could begin. */
  #findHeader(from: number, end: number): number {
    const bytes = this.#buffer;
    for (let i = from; i < end; i++) {
      if (bytes[i] !== 0xff) continue;
      if (i + 1 < end && bytes[i + 1] !== 0xff) continue;
      if (i + 2 < end && bytes[i + 2] !== 0xfd) continue;
      if (i + 3 < end && bytes[i + 3] !== 0x00) continue;
      return i;
    }
    return end;
  }

  /**
   * True when another header is inside a packet. Stuffing keeps headers out of bodies, so the
   * packet was cut off or its LEN is wrong; without this check a wrong LEN would block the bus for a kilobyte. Only the
   * reply to a fast sync read is not stuffed.
   */
  #isCutOff(id: number, crcAt: number): boolean {
    const body = this.#start + PREFIX_LENGTH;
    if (id === BROADCAST_ID && this.#buffer[body] === Instruction.status) return false;
    const end = Math.min(this.#end, crcAt);
    return this.#findHeader(body, end) + 4 <= end;
  }

  #skip(count: number): void {
    this.#start += count;
    this.junkBytes += count;
  }
}

/** Undefined when the body is a status packet without its error byte. */
function decodeBody(id: number, body: Uint8Array): Packet | undefined {
  const instruction = body[0] ?? 0;
  if (instruction !== Instruction.status) {
    return { kind: "instruction", id, instruction, params: unstuff(body).subarray(1) };
  }
  if (body.length < 2) return undefined;
  const plain = id === BROADCAST_ID ? body.slice() : unstuff(body);
  return { kind: "status", id, error: plain[1] ?? 0, params: plain.subarray(2) };
}
