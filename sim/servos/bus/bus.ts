import {
  BROADCAST_ID,
  encodeFastSyncStatus,
  encodeStatus,
  Instruction,
  type InstructionPacket,
  type Packet,
  StatusError,
  wordAt,
} from "../../../robot/servo/protocol/packet.ts";
import { StreamParser } from "../../../robot/servo/protocol/stream-parser.ts";
import { RETURN_DELAY_UNIT } from "../../../robot/servo/registers/units.ts";
import type { Servo, ServoState } from "../servo.ts";
import { execute, executeInGroup, type InstructionResult, repliesTo } from "./instructions.ts";

/** V of the supply unless another one is given. The maker's has 6.8 to 7.6 V; above 7.0 V each servo reports an error. */
export const DEFAULT_SUPPLY = 7;
/** Ohms of the wiring that all servos share: an estimate. */
const SUPPLY_RESISTANCE = 0.05;
/**
 * Seconds without a byte after which an incomplete packet is discarded. Long, because simulated time may jump by 50 ms
 * while the rest of a packet waits to be read.
 */
const PACKET_TIMEOUT = 0.5;

/** Bytes that a servo sends `delay` seconds (its return delay) after the instruction. */
interface Reply {
  bytes: Uint8Array;
  delay: number;
}

/**
 * The servos of a robot on one half-duplex bus: bytes in, replies out, in the order in which they are sent.
 * It has no clock and no I/O; `advance` moves its time.
 */
export class ServoBus {
  readonly servos: readonly Servo[];
  /** bit/s of the master; servos with another baud rate receive nothing. */
  baudRate = 1_000_000;
  /** V of the intact supply, without load. */
  readonly nominalSupply: number;
  /** V at present, without load; the servos' current lowers it. */
  supplyVoltage: number;
  readonly #parser = new StreamParser(true);
  #idleSeconds = 0;

  constructor(servos: readonly Servo[], supply: number) {
    this.servos = servos;
    this.nominalSupply = supply;
    this.supplyVoltage = supply;
  }

  /** Takes the master's bytes and returns the servos' replies. */
  receive(chunk: Uint8Array): Reply[] {
    this.#idleSeconds = 0;
    return this.#parser.push(chunk).flatMap((packet) => this.#answer(packet));
  }

  /** Advances by `dt` seconds. */
  advance(dt: number): void {
    this.#idleSeconds += dt;
    if (this.#idleSeconds > PACKET_TIMEOUT) this.#parser.reset();
    let load = 0;
    for (const servo of this.servos) load += servo.load;
    const volts = Math.max(0, this.supplyVoltage - SUPPLY_RESISTANCE * load);
    for (const servo of this.servos) servo.advance(dt, volts);
  }

  /** Number of instructions so far that have changed a servo. */
  get changes(): number {
    return this.servos.reduce((sum, servo) => sum + servo.changes, 0);
  }

  save(): { servos: ServoState[]; supplyVoltage: number; baudRate: number } {
    const { supplyVoltage, baudRate } = this;
    return { servos: this.servos.map((servo) => servo.save()), supplyVoltage, baudRate };
  }

  restore(state: ReturnType<ServoBus["save"]>): void {
    state.servos.forEach((saved, i) => {
      this.servos[i]?.restore(saved);
    });
    this.supplyVoltage = state.supplyVoltage;
    this.baudRate = state.baudRate;
    this.#parser.reset();
  }

  #answer(packet: Packet): Reply[] {
    const listening = this.servos.filter((servo) => servo.isListening && servo.baudRate === this.baudRate);
    if (packet.kind === "instruction") return this.#execute(packet, listening);
    if (packet.kind === "status") return [];
    // Protocol 2.0, "Error": 0x03.
    const addressed = listening.filter(({ id }) => id === packet.id);
    return together(
      addressed.map((servo) =>
        replyTo(servo, packet.instruction, () => ({ error: StatusError.crc | servo.alert, data: NO_DATA })),
      ),
    );
  }

  #execute({ id, instruction, params }: InstructionPacket, listening: readonly Servo[]): Reply[] {
    for (const servo of listening) servo.onBusActivity();
    if (id !== BROADCAST_ID) {
      const addressed = listening.filter((servo) => servo.id === id);
      const group = listening.filter((servo) => servo.id !== id && servo.secondaryId === id);
      const replies = together(addressed.map((servo) => requestFrom(servo, instruction, params)));
      for (const servo of group) executeInGroup(servo, instruction, params);
      return replies;
    }
    switch (instruction) {
      case Instruction.ping: {
        const byId = [...listening].sort((a, b) => a.id - b.id);
        return byId.flatMap((servo) => requestFrom(servo, instruction, params) ?? []);
      }
      case Instruction.syncRead:
        return readInTurn(listening, syncRequests(params));
      case Instruction.bulkRead:
        return readInTurn(listening, bulkRequests(params));
      case Instruction.fastSyncRead:
        return readTogether(listening, syncRequests(params));
      case Instruction.fastBulkRead:
        return readTogether(listening, bulkRequests(params));
      case Instruction.syncWrite:
        writeAll(listening, fixedSizeRecords(params.subarray(4), 1 + wordAt(params, 2)), (entry) => [
          params.subarray(0, 2),
          entry.subarray(1),
        ]);
        return [];
      case Instruction.bulkWrite:
        writeAll(listening, bulkWriteRecords(params), (entry) => [entry.subarray(1, 3), entry.subarray(5)]);
        return [];
      default:
        for (const servo of listening) execute(servo, instruction, params, id);
        return [];
    }
  }
}

const NO_DATA = new Uint8Array(0);

/** One servo's reply to an instruction for its id; undefined when its status return level suppresses it. */
const requestFrom = (servo: Servo, instruction: number, params: Uint8Array): Reply | undefined =>
  replyTo(servo, instruction, () => execute(servo, instruction, params, servo.id));

/** As `requestFrom`. Id, delay and status return level are those before the work. */
function replyTo(servo: Servo, instruction: number, work: () => InstructionResult): Reply | undefined {
  const { id } = servo;
  const delay = servo.controlTable.get("returnDelayTime") * RETURN_DELAY_UNIT;
  const replies = repliesTo(servo, instruction);
  const { error, data } = work();
  return replies ? { bytes: encodeStatus(id, error, data), delay } : undefined;
}

/** Servos with the same id send at the same time: the line is low wherever one of them pulls it low. */
function together(replies: readonly (Reply | undefined)[]): Reply[] {
  const merged = replies.reduce((first, second) => {
    if (first === undefined || second === undefined) return first ?? second;
    const bytes = first.bytes.map((byte, i) => byte & (second.bytes[i] ?? 0xff));
    return { bytes, delay: Math.min(first.delay, second.delay) };
  }, undefined);
  return merged === undefined ? [] : [merged];
}

/** A read of one servo: address and length. */
interface ReadRequest {
  readonly id: number;
  readonly params: Uint8Array;
}

const syncRequests = (params: Uint8Array): ReadRequest[] =>
  Array.from(params.subarray(4), (id) => ({ id, params: params.subarray(0, 4) }));
const bulkRequests = (params: Uint8Array): ReadRequest[] =>
  fixedSizeRecords(params, 5).map((entry) => ({ id: entry[0] ?? 0, params: entry.subarray(1) }));

/** Reads in the requested order. Each servo waits for the previous one's packet, so a silent servo ends the sequence. */
function readInTurn(listening: readonly Servo[], requests: readonly ReadRequest[]): Reply[] {
  const replies: Reply[] = [];
  for (const { id, params } of requests) {
    const servo = listening.find((one) => one.id === id);
    const reply = servo && requestFrom(servo, Instruction.read, params);
    if (reply === undefined) break;
    replies.push(reply);
  }
  return replies;
}

/** One shared packet; a servo that does not reply leaves it incomplete, so nothing is received. */
function readTogether(listening: readonly Servo[], requests: readonly ReadRequest[]): Reply[] {
  const blocks: (InstructionResult & { id: number })[] = [];
  let delay = 0;
  for (const { id, params } of requests) {
    const servo = listening.find((one) => one.id === id);
    if (servo === undefined || !repliesTo(servo, Instruction.read)) return [];
    const { error, data } = execute(servo, Instruction.read, params, id);
    if (data.length !== wordAt(params, 2)) return [];
    if (blocks.length === 0) delay = servo.controlTable.get("returnDelayTime") * RETURN_DELAY_UNIT;
    blocks.push({ id, error, data });
  }
  return blocks.length === 0 ? [] : [{ bytes: encodeFastSyncStatus(blocks), delay }];
}

function writeAll(
  listening: readonly Servo[],
  entries: readonly Uint8Array[],
  parts: (entry: Uint8Array) => [address: Uint8Array, data: Uint8Array],
): void {
  for (const entry of entries) {
    const [address, data] = parts(entry);
    const params = new Uint8Array(address.length + data.length);
    params.set(address);
    params.set(data, address.length);
    for (const servo of listening) if (servo.id === entry[0]) execute(servo, Instruction.write, params, servo.id);
  }
}

/** Splits bytes into records of a fixed size; an incomplete last record is dropped. */
function fixedSizeRecords(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** Splits a bulk write into its records: id, address, length, data. */
function bulkWriteRecords(bytes: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + wordAt(bytes, at + 3);
    if (end > bytes.length) break;
    entries.push(bytes.subarray(at, end));
    at = end;
  }
  return entries;
}
