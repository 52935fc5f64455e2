/** A first-in, first-out queue of samples that holds at most `capacity` of them. */
export class SampleQueue {
  readonly capacity: number;
  #chunks: Int16Array[] = [];
  /** Number of samples of the first chunk that were taken already. */
  #taken = 0;
  #length = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Number of samples in the queue. */
  get length(): number {
    return this.#length;
  }

  /** Appends all of the samples and returns true, or appends nothing and returns false when they do not all fit. */
  push(samples: Int16Array): boolean {
    if (this.#length + samples.length > this.capacity) return false;
    if (samples.length > 0) this.#chunks.push(samples);
    this.#length += samples.length;
    return true;
  }

  /** Takes as many samples as `sums` is long, or as there are, and adds them to `sums`; returns how many. */
  mixInto(sums: Int32Array): number {
    const count = Math.min(sums.length, this.#length);
    for (let done = 0; done < count; ) {
      const [chunk = new Int16Array(0)] = this.#chunks;
      const part = chunk.subarray(this.#taken, this.#taken + count - done);
      for (const [i, sample] of part.entries()) sums[done + i] = (sums[done + i] ?? 0) + sample;
      done += part.length;
      this.#taken += part.length;
      if (this.#taken < chunk.length) break;
      this.#chunks.shift();
      this.#taken = 0;
    }
    this.#length -= count;
    return count;
  }

  /** Empties the queue; returns how many samples it held. */
  clear(): number {
    const dropped = this.#length;
    this.#chunks = [];
    this.#taken = 0;
    this.#length = 0;
    return dropped;
  }
}
