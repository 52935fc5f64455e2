import { SerialQueue } from "../../../../common/serial-queue.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import * as instruction from "../../../../robot/servo/protocol/instructions.ts";
import {
  ALERT,
  BROADCAST_ID,
  MAX_ID,
  StatusError,
  type StatusPacket,
} from "../../../../robot/servo/protocol/packet.ts";
import { StreamParser } from "../../../../robot/servo/protocol/stream-parser.ts";
import { decodeValue, REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { refusal } from "../servo-messages.ts";
import { type Answers, Exchange, type Timeouts } from "./exchange.ts";

/** An exchange with one servo may wait long: its answer decides whether a setting was written. */
const SINGLE_SERVO_TIMEOUTS: Timeouts = { answerMs: 100, gapMs: 100 };
/** Nine answers of 21 bytes take 1.9 ms at 1 Mbaud; the rest is for the USB adapter. The control loop waits no longer. */
const SYNC_READ_TIMEOUTS: Timeouts = { answerMs: 12, gapMs: 4 };
/** A broadcast ping is answered in the order of ids, 3 ms apart at the most. */
const BROADCAST_TIMEOUTS: Timeouts = { answerMs: 800, gapMs: 800 };
const ALL_IDS: readonly number[] = Array.from({ length: MAX_ID + 1 }, (_, id) => id);
/** A request to one servo is repeated when its answer is lost or damaged. */
const ATTEMPTS = 3;

/**
 * Master of the half-duplex servo bus: one exchange at a time, in the order of the calls, each with a deadline. A request
 * to one servo is sent up to three times; a sync read once, as the next control tick reads again.
 */
export class ServoBus {
  /** Answers since the start that did not come in time, damaged ones included. */
  lostAnswers = 0;
  /** Called for every answer whose alert bit is set: that servo has a hardware error. */
  onAlert: (id: number) => void = () => undefined;
  readonly #link: ByteLink;
  readonly #clock: Clock;
  readonly #parser = new StreamParser();
  readonly #unsubscribe: (() => void)[];
  #exchange: Exchange | undefined;
  readonly #queue = new SerialQueue();
  #closed = false;

  constructor(link: ByteLink, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
    this.#unsubscribe = [link.onData((chunk) => this.#receive(chunk)), link.onClose(() => this.detach())];
  }

  /** True once the link is lost or was detached. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Model number and firmware version of one servo. */
  async ping(id: number): Promise<{ model: number; firmware: number }> {
    return identity((await this.#request(id, instruction.ping(id), 3)).params);
  }

  /** All servos on the bus. Takes about a second, as it cannot know how many will answer. */
  async findAll(): Promise<{ id: number; model: number; firmware: number }[]> {
    const answers = await this.#queue.run(() =>
      this.#exchangeOnce(instruction.ping(BROADCAST_ID), ALL_IDS, 3, BROADCAST_TIMEOUTS),
    );
    return answers.flatMap((answer) => (answer === undefined ? [] : [{ id: answer.id, ...identity(answer.params) }]));
  }

  /**
   * `length` bytes of one servo's control table.
   *
   * @throws WorkbenchError `robot-not-ready` when it does not answer, `robot-fault` when it refuses
   */
  async read(id: number, address: number, length: number): Promise<Uint8Array> {
    return (await this.#request(id, instruction.read(id, address, length), length)).params;
  }

  /**
   * Writes bytes into one servo's control table and waits for its answer.
   *
   * @throws WorkbenchError `robot-not-ready` when it does not answer, `robot-fault` when it refuses
   */
  async write(id: number, address: number, data: ArrayLike<number>): Promise<void> {
    await this.#request(id, instruction.write(id, address, data), 0);
  }

  /** Reboots a servo: torque off, hardware error cleared, RAM as at power-on. It does not answer for some 100 ms. */
  async reboot(id: number): Promise<void> {
    await this.#request(id, instruction.reboot(id), 0);
  }

  /** The same registers of several servos, read once; undefined for those that did not answer in time. */
  syncRead(ids: readonly number[], address: number, length: number): Promise<Answers> {
    return this.#queue.run(() =>
      this.#exchangeOnce(instruction.syncRead(address, length, ids), ids, length, SYNC_READ_TIMEOUTS),
    );
  }

  /** Writes the same registers of several servos; they do not answer. Resolves when the link has the bytes. */
  syncWrite(address: number, length: number, entries: readonly instruction.SyncWriteEntry[]): Promise<void> {
    const frame = instruction.syncWrite(address, length, entries);
    return this.#queue.run(async () => this.#link.write(frame));
  }

  /** Stops using the link without closing it; a running exchange ends without answers. */
  detach(): void {
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#exchange?.end();
  }

  #request(id: number, frame: Uint8Array, length: number): Promise<StatusPacket> {
    return this.#queue.run(async () => {
      for (let attempt = 1; attempt <= ATTEMPTS && !this.#closed; attempt++) {
        const [answer] = await this.#exchangeOnce(frame, [id], length, SINGLE_SERVO_TIMEOUTS);
        const error = (answer?.error ?? 0) & ~ALERT;
        if (answer === undefined || error === StatusError.crc) continue;
        if (error !== 0) throw new WorkbenchError("robot-fault", refusal(id, error, frame));
        return answer;
      }
      throw new WorkbenchError(
        "robot-not-ready",
        `Servo ${id} does not answer on ${this.#link.name} (${ATTEMPTS} attempts). Check its cable and the robot's power.`,
      );
    });
  }

  async #exchangeOnce(frame: Uint8Array, ids: readonly number[], length: number, timeouts: Timeouts): Promise<Answers> {
    if (this.#closed) return ids.map(() => undefined);
    this.#parser.reset();
    this.#exchange = new Exchange(this.#clock, ids, length, timeouts);
    this.#link.write(frame);
    const answers = await this.#exchange.answers;
    this.#exchange = undefined;
    this.lostAnswers += answers.filter((answer) => answer === undefined).length;
    return answers;
  }

  #receive(chunk: Uint8Array): void {
    for (const packet of this.#parser.push(chunk)) {
      if (packet.kind !== "status") continue;
      if (packet.error & ALERT) this.onAlert(packet.id);
      this.#exchange?.receive(packet);
    }
  }
}

/** Model and firmware from the answer to a ping. */
function identity(params: Uint8Array): { model: number; firmware: number } {
  return { model: decodeValue(REGISTERS.modelNumber, params), firmware: params[2] ?? 0 };
}
