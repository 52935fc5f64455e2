const FIRST_SIZE = 1 << 16;

/** Bytes and bits of a JPEG file, in memory that grows. */
export class BitWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;
  #pending = 0;
  #pendingBits = 0;

  bytes(values: ArrayLike<number>): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** @param count at most 16 */
  bits(value: number, count: number): void {
    this.#pending = (this.#pending << count) | value;
    this.#pendingBits += count;
    this.#reserve(8);
    while (this.#pendingBits >= 8) {
      this.#pendingBits -= 8;
      const byte = (this.#pending >>> this.#pendingBits) & 0xff;
      this.#bytes[this.#length++] = byte;
      // A zero after it tells the byte from a marker.
      if (byte === 0xff) this.#bytes[this.#length++] = 0;
    }
    this.#pending &= (1 << this.#pendingBits) - 1;
  }

  /** Fills the last byte with ones. */
  endBits(): void {
    if (this.#pendingBits > 0) this.bits((1 << (8 - this.#pendingBits)) - 1, 8 - this.#pendingBits);
  }

  /** A copy of what was written. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length + count);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
