import { StringDecoder } from "node:string_decoder";

/** Longest line in characters; what goes on after it becomes a line of its own. */
export const MAX_LINE = 8192;

/**
 * Cuts a byte stream into lines. `\n`, `\r\n` and the lone `\r` of a progress bar all end one. Holds at most
 * `MAX_LINE` characters, however long a program goes without a newline.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #afterReturn = false;

  push(chunk: Buffer): string[] {
    return this.#take(this.#decoder.write(chunk));
  }

  /** What came after the last newline. */
  end(): string[] {
    const lines = this.#take(this.#decoder.end());
    if (this.#rest !== "") lines.push(this.#rest);
    this.#rest = "";
    return lines;
  }

  #take(text: string): string[] {
    if (text === "") return [];
    // A chunk may end between the two characters of \r\n.
    const fresh = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#afterReturn = text.endsWith("\r");
    const pieces = (this.#rest + fresh).split(/\r\n|\n|\r/);
    this.#rest = pieces.pop() ?? "";
    const lines = pieces.flatMap(inBounds);
    const [tail = "", ...full] = inBounds(this.#rest).reverse();
    this.#rest = tail;
    return [...lines, ...full.reverse()];
  }
}

function inBounds(line: string): string[] {
  if (line.length <= MAX_LINE) return [line];
  return line.match(new RegExp(`.{1,${MAX_LINE}}`, "gs")) ?? [];
}
