import type { FaultInjector } from "../faults/fault-injector.ts";
import type { ServoBus } from "../servos/bus/bus.ts";

/** Start bit, eight data bits, stop bit. */
const BITS_PER_BYTE = 10;

/**
 * The half-duplex wire between the master and the servos: packets in sequence, each with its servo's return delay,
 * optionally with transmission time, and with injected faults. Times are simulated seconds.
 */
export class Wire {
  readonly #bus: ServoBus;
  readonly #faults: FaultInjector;
  readonly #isTimed: boolean;
  readonly #transmit: (bytes: Uint8Array) => void;
  /** Replies that have not arrived yet, in order. */
  readonly #waiting: { bytes: Uint8Array; due: number }[] = [];
  #busyUntil = 0;

  /**
   * @param transmit called with the bytes that arrive at the master, during `receive` and `deliver`
   * @param hasDelay whether bytes take transmission time at the bus's baud rate
   */
  constructor(bus: ServoBus, faults: FaultInjector, hasDelay: boolean, transmit: (bytes: Uint8Array) => void) {
    this.#bus = bus;
    this.#faults = faults;
    this.#isTimed = hasDelay;
    this.#transmit = transmit;
  }

  /** Time at which the next reply arrives; undefined without one. */
  get nextDue(): number | undefined {
    return this.#waiting[0]?.due;
  }

  /** Bytes from the master. They take effect immediately; their transmission time is added to that of the replies. */
  receive(bytes: Uint8Array, time: number): void {
    const received = this.#faults.isPlugged(time) ? this.#faults.injectIntoPacket(bytes, time) : undefined;
    if (received === undefined) return;
    this.#busyUntil = Math.max(this.#busyUntil, time) + this.#seconds(received);
    for (const reply of this.#bus.receive(received)) {
      this.#busyUntil += reply.delay + this.#seconds(reply.bytes) + this.#faults.replyDelay(time);
      const injected = this.#faults.injectIntoPacket(reply.bytes, time);
      if (injected !== undefined) this.#waiting.push({ bytes: injected, due: this.#busyUntil });
    }
    this.deliver(time);
  }

  /** Passes on, in one piece, the replies that have arrived. */
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

  /** Discards replies that have not arrived yet. */
  clear(): void {
    this.#waiting.length = 0;
    this.#busyUntil = 0;
  }

  #seconds(bytes: Uint8Array): number {
    return this.#isTimed ? (bytes.length * BITS_PER_BYTE) / this.#bus.baudRate : 0;
  }
}
