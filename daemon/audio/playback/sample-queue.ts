import type { SharedBudget } from "../../../common/bounded.ts";

const BYTES = Int16Array.BYTES_PER_ELEMENT;
/** Samples that a queue has room for at first. */
const MIN_ROOM = 1024;

/**
 * A first-in, first-out queue of samples that holds at most `capacity` of them, in one block of memory: it costs the same however
 * few samples come at a time.
 */
export class SampleQueue {
  readonly capacity: number;
  readonly #shared: SharedBudget;
  #ring = new Int16Array(0);
  /** Where the first sample is. */
  #first = 0;
  #length = 0;

  /** @param shared bounds the memory of all queues that have it, bytes */
  constructor(capacity: number, shared: SharedBudget) {
    this.capacity = capacity;
    this.#shared = shared;
  }

  /** Number of samples in the queue. */
  get length(): number {
    return this.#length;
  }

  /** Appends all of the samples and returns true, or appends nothing and returns false when they do not all fit. */
  push(samples: Int16Array): boolean {
    const length = this.#length + samples.length;
    if (length > this.capacity || !this.#makeRoom(length)) return false;
    const at = (this.#first + this.#length) % Math.max(1, this.#ring.length);
    const untilEnd = samples.subarray(0, this.#ring.length - at);
    this.#ring.set(untilEnd, at);
    this.#ring.set(samples.subarray(untilEnd.length), 0);
    this.#length = length;
    return true;
  }

  /** Takes as many samples as `sums` is long, or as there are, and adds them to `sums`; returns how many. */
  mixInto(sums: Int32Array): number {
    const count = Math.min(sums.length, this.#length);
    for (let i = 0; i < count; i += 1)
      sums[i] = (sums[i] ?? 0) + (this.#ring[(this.#first + i) % this.#ring.length] ?? 0);
    this.#first = (this.#first + count) % Math.max(1, this.#ring.length);
    this.#length -= count;
    if (this.#length === 0) this.clear();
    return count;
  }

  /** Empties the queue; returns how many samples it held. */
  clear(): number {
    const dropped = this.#length;
    if (this.#ring.length > 0) this.#shared.give(1, BYTES * this.#ring.length);
    this.#ring = new Int16Array(0);
    this.#first = 0;
    this.#length = 0;
    return dropped;
  }

  /** Makes room for so many samples in all; returns false when all queues together have too many. */
  #makeRoom(length: number): boolean {
    const before = this.#ring;
    if (length <= before.length) return true;
    const room = Math.min(this.capacity, Math.max(MIN_ROOM, 2 * before.length, length));
    if (!this.#shared.take(before.length > 0 ? 0 : 1, BYTES * (room - before.length))) return false;
    const ring = new Int16Array(room);
    const untilEnd = before.subarray(this.#first, this.#first + this.#length);
    ring.set(untilEnd);
    ring.set(before.subarray(0, this.#length - untilEnd.length), untilEnd.length);
    this.#ring = ring;
    this.#first = 0;
    return true;
  }
}
