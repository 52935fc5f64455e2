import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { decodeValue, REGISTERS } from "../../robot/servo/control-table.ts";
import * as instruction from "../../robot/servo/instructions.ts";
import { ALERT, BROADCAST_ID, MAX_ID, StatusError, type StatusPacket } from "../../robot/servo/packet.ts";
import { StreamParser } from "../../robot/servo/stream-parser.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Clock } from "../clock.ts";
import { type Answers, Exchange, type Patience } from "./exchange.ts";
import { refusal } from "./sentences.ts";

/** One servo's answer is worth waiting for: it decides whether a setting has arrived. */
const ONE: Patience = { answerMs: 100, gapMs: 100 };
/** Nine answers of 21 bytes take 1.9 ms at 1 Mbaud; the rest is for the USB adapter. The loop does not wait longer. */
const SEVERAL: Patience = { answerMs: 12, gapMs: 4 };
/** A broadcast ping is answered in the order of ids, 3 ms apart at the most. */
const EVERYBODY: Patience = { answerMs: 800, gapMs: 800 };
const ALL_IDS: readonly number[] = Array.from({ length: MAX_ID + 1 }, (_, id) => id);
/** A single servo's answer is asked for again, so that one lost or broken packet does no harm. */
const ATTEMPTS = 3;

/** What happened on the bus so far. `lost` counts answers that did not come in time, corrupt ones among them. */
export interface BusCounters {
  exchanges: number;
  lost: number;
  retries: number;
  readonly corrupt: number;
}

/**
 * Master of the half-duplex servo bus: one exchange at a time, in the order of the calls, each with a deadline.
 * Questions to one servo are repeated up to three times; sync reads are not, as the next control tick asks again.
 */
export class ServoBus {
  readonly counters: BusCounters;
  /** Called for every answer whose alert bit is set: that servo has a hardware error. */
  onAlert: (id: number) => void = () => undefined;
  readonly #link: ByteLink;
  readonly #clock: Clock;
  readonly #parser = new StreamParser();
  readonly #unsubscribe: (() => void)[];
  #exchange: Exchange | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(link: ByteLink, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
    const parser = this.#parser;
    this.counters = {
      exchanges: 0,
      lost: 0,
      retries: 0,
      get corrupt() {
        return parser.crcErrors;
      },
    };
    this.#unsubscribe = [link.onData((chunk) => this.#receive(chunk)), link.onClose(() => this.detach())];
  }

  /** True once the link is lost or was let go. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Model number and firmware version of one servo. */
  async ping(id: number): Promise<{ model: number; firmware: number }> {
    return identity((await this.#ask(id, instruction.ping(id), 3)).params);
  }

  /** Everybody on the bus: takes about a second, as nobody knows who is still to answer. */
  async findAll(): Promise<{ id: number; model: number; firmware: number }[]> {
    const answers = await this.#inTurn(() => this.#exchangeOnce(instruction.ping(BROADCAST_ID), ALL_IDS, 3, EVERYBODY));
    return answers.flatMap((answer) => (answer === undefined ? [] : [{ id: answer.id, ...identity(answer.params) }]));
  }

  /**
   * `length` bytes of one servo's control table.
   *
   * @throws WorkbenchError `robot-not-ready` when it does not answer, `robot-fault` when it refuses
   */
  async read(id: number, address: number, length: number): Promise<Uint8Array> {
    return (await this.#ask(id, instruction.read(id, address, length), length)).params;
  }

  /** Writes bytes into one servo's control table and waits for its word. Throws as `read` does. */
  async write(id: number, address: number, data: ArrayLike<number>): Promise<void> {
    await this.#ask(id, instruction.write(id, address, data), 0);
  }

  /** Restarts a servo: torque off, hardware error cleared, RAM as at power-on. It is deaf for some 100 ms afterwards. */
  async reboot(id: number): Promise<void> {
    await this.#ask(id, instruction.reboot(id), 0);
  }

  /** The same place of several servos, asked for once; undefined for those that did not answer in time. */
  syncRead(ids: readonly number[], address: number, length: number): Promise<Answers> {
    return this.#inTurn(() => this.#exchangeOnce(instruction.syncRead(address, length, ids), ids, length, SEVERAL));
  }

  /** Writes the same place of several servos; nobody answers. Resolves when the bytes are with the link. */
  syncWrite(address: number, length: number, entries: readonly instruction.SyncWriteEntry[]): Promise<void> {
    const frame = instruction.syncWrite(address, length, entries);
    return this.#inTurn(async () => this.#link.write(frame));
  }

  /** Lets go of the link without closing it; what waits for an answer gets none. */
  detach(): void {
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#exchange?.end();
  }

  #ask(id: number, frame: Uint8Array, length: number): Promise<StatusPacket> {
    return this.#inTurn(async () => {
      for (let attempt = 1; attempt <= ATTEMPTS && !this.#closed; attempt++) {
        if (attempt > 1) this.counters.retries++;
        const [answer] = await this.#exchangeOnce(frame, [id], length, ONE);
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

  async #exchangeOnce(frame: Uint8Array, ids: readonly number[], length: number, patience: Patience): Promise<Answers> {
    if (this.#closed) return ids.map(() => undefined);
    this.#parser.reset();
    this.#exchange = new Exchange(this.#clock, ids, length, patience);
    this.#link.write(frame);
    const answers = await this.#exchange.answers;
    this.#exchange = undefined;
    const lost = answers.reduce((sum, answer) => sum + (answer === undefined ? 1 : 0), 0);
    this.counters.exchanges++;
    this.counters.lost += lost;
    return answers;
  }

  #receive(chunk: Uint8Array): void {
    for (const packet of this.#parser.push(chunk)) {
      if (packet.kind !== "status") continue;
      if (packet.error & ALERT) this.onAlert(packet.id);
      this.#exchange?.take(packet);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}

/** What a ping's answer holds. */
function identity(params: Uint8Array): { model: number; firmware: number } {
  return { model: decodeValue(REGISTERS.modelNumber, params), firmware: params[2] ?? 0 };
}
