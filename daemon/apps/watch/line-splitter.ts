import { StringDecoder } from "node:string_decoder";

/** Longest line in characters; a longer one is cut into several. */
export const MAX_LINE = 8192;

/**
 * Splits a byte stream into lines. `\n`, `\r\n` and the lone `\r` of a progress bar all end a line. Buffers at most
 * `MAX_LINE` characters, however long a program prints without a newline.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #partial = "";
  #endedInReturn = false;

  /** Returns the lines that the chunk completes. */
  push(chunk: Buffer): string[] {
    return this.#split(this.#decoder.write(chunk));
  }

  /** Returns what came after the last newline. */
  end(): string[] {
    const lines = this.#split(this.#decoder.end());
    if (this.#partial !== "") lines.push(this.#partial);
    this.#partial = "";
    return lines;
  }

  #split(text: string): string[] {
    if (text === "") return [];
    // A chunk may end between the two characters of \r\n.
    const added = this.#endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedInReturn = text.endsWith("\r");
    const pieces = (this.#partial + added).split(/\r\n|\n|\r/);
    const last = cut(pieces.pop() ?? "");
    this.#partial = last.pop() ?? "";
    return [...pieces.flatMap(cut), ...last];
  }
}

function cut(line: string): string[] {
  if (line.length <= MAX_LINE) return [line];
  return line.match(new RegExp(`.{1,${MAX_LINE}}`, "gs")) ?? [];
}
