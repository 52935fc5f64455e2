import type { Faults } from "../faults/faults.ts";
import type { ServoBus } from "../servos/bus.ts";

/** Start bit, eight data bits, stop bit. */
const BITS_PER_BYTE = 10;

/**
 * The half-duplex wire between the master and the servos: one packet after the other, each with its servo's return
 * delay, with or without the time that its bytes take, and with what goes wrong on the way. Simulated seconds.
 */
export class Wire {
  readonly #bus: ServoBus;
  readonly #faults: Faults;
  readonly #isTimed: boolean;
  readonly #transmit: (bytes: Uint8Array) => void;
  /** Replies on their way, in the order of the wire. */
  readonly #waiting: { bytes: Uint8Array; due: number }[] = [];
  #busyUntil = 0;

  /**
   * @param transmit takes what arrives at the master; it is called from within `receive` and `deliver`
   * @param isTimed whether bytes take their time at the bus's baud rate
   */
  constructor(bus: ServoBus, faults: Faults, isTimed: boolean, transmit: (bytes: Uint8Array) => void) {
    this.#bus = bus;
    this.#faults = faults;
    this.#isTimed = isTimed;
    this.#transmit = transmit;
  }

  /** When the next reply arrives; undefined when none is on its way. */
  get nextDue(): number | undefined {
    return this.#waiting[0]?.due;
  }

  /** Bytes of the master. They act at once; their time on the wire is added to that of the replies. */
  receive(bytes: Uint8Array, time: number): void {
    const heard = this.#faults.isPlugged(time) ? this.#faults.spoil(bytes, time) : undefined;
    if (heard === undefined) return;
    this.#busyUntil = Math.max(this.#busyUntil, time) + this.#seconds(heard);
    for (const reply of this.#bus.receive(heard)) {
      this.#busyUntil += reply.delay + this.#seconds(reply.bytes) + this.#faults.lateness(time);
      const spoilt = this.#faults.spoil(reply.bytes, time);
      if (spoilt !== undefined) this.#waiting.push({ bytes: spoilt, due: this.#busyUntil });
    }
    this.deliver(time);
  }

  /** Hands over, in one piece, what has arrived by now. */
  deliver(time: number): void {
    const next = this.#waiting.findIndex((reply) => reply.due > time + 1e-9);
    const arrived = this.#waiting.splice(0, next < 0 ? this.#waiting.length : next);
    if (arrived.length === 0 || !this.#faults.isPlugged(time)) return;
    const bytes = new Uint8Array(arrived.reduce((sum, reply) => sum + reply.bytes.length, 0));
    let at = 0;
    for (const reply of arrived) {
      bytes.set(reply.bytes, at);
      at += reply.bytes.length;
    }
    this.#transmit(bytes);
  }

  /** Forgets what is on its way. */
  clear(): void {
    this.#waiting.length = 0;
    this.#busyUntil = 0;
  }

  #seconds(bytes: Uint8Array): number {
    return this.#isTimed ? (bytes.length * BITS_PER_BYTE) / this.#bus.baudRate : 0;
  }
}
