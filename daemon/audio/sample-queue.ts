/** Samples that wait for their turn, at most `room` of them: first in, first out. */
export class SampleQueue {
  readonly room: number;
  #chunks: Int16Array[] = [];
  /** Samples of the first chunk that have left already. */
  #gone = 0;
  #length = 0;

  constructor(room: number) {
    this.room = room;
  }

  /** How many samples wait. */
  get length(): number {
    return this.#length;
  }

  /** Takes all of the samples: true; or none of them when they do not all fit: false. */
  push(samples: Int16Array): boolean {
    if (this.#length + samples.length > this.room) return false;
    if (samples.length > 0) this.#chunks.push(samples);
    this.#length += samples.length;
    return true;
  }

  /** Adds the next samples to those of `sums`, as many as there are and fit; returns how many. */
  mixInto(sums: Int32Array): number {
    const count = Math.min(sums.length, this.#length);
    for (let done = 0; done < count; ) {
      const [chunk = new Int16Array(0)] = this.#chunks;
      const part = chunk.subarray(this.#gone, this.#gone + count - done);
      for (const [i, sample] of part.entries()) sums[done + i] = (sums[done + i] ?? 0) + sample;
      done += part.length;
      this.#gone += part.length;
      if (this.#gone < chunk.length) break;
      this.#chunks.shift();
      this.#gone = 0;
    }
    this.#length -= count;
    return count;
  }

  /** Drops what waits; returns how many samples that were. */
  clear(): number {
    const dropped = this.#length;
    this.#chunks = [];
    this.#gone = 0;
    this.#length = 0;
    return dropped;
  }
}
