/** Translates UTF-8 byte offsets of a text to its lines and pieces. */
export class SourceMap {
  readonly #bytes: Buffer;
  readonly #lineStarts: number[];

  constructor(text: string) {
    this.#bytes = Buffer.from(text, "utf8");
    const ends = text.matchAll(/\r\n?|\n/g);
    this.#lineStarts = [0, ...Array.from(ends, ({ 0: end, index }) => index + end.length)];
    if (this.#bytes.length > text.length) this.#lineStarts = byteOffsets(text, this.#lineStarts);
  }

  /** The line of a byte, from 1. */
  lineAt(byte: number): number {
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= byte) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** The text between two bytes. */
  slice(start: number, stop: number): string {
    return this.#bytes.toString("utf8", start, stop);
  }
}

/** Ascending UTF-16 offsets of a text as offsets in its UTF-8 bytes. */
function byteOffsets(text: string, offsets: readonly number[]): number[] {
  let [bytes, last] = [0, 0];
  return offsets.map((offset) => {
    bytes += Buffer.byteLength(text.slice(last, offset), "utf8");
    last = offset;
    return bytes;
  });
}
