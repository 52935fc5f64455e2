/**
 * A line of a text. Texts are split on "\n" only, so a final newline leaves an empty last line and every text has at
 * least one line. A "\r" before the "\n" belongs to the line's end. Offsets count UTF-16 code units.
 */
export interface Line {
  body: string;
  /** "\n", "\r\n", or "" for the last line. */
  end: "\n" | "\r\n" | "";
  /** Where the body begins in the text. */
  start: number;
  /** Where the body ends: `start + body.length`. */
  stop: number;
}

export const BOM = "\uFEFF";

/** The lines of a text without its byte order mark. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = text.startsWith(BOM) ? BOM.length : 0;
  for (;;) {
    const feed = text.indexOf("\n", start);
    if (feed < 0) {
      lines.push({ body: text.slice(start), end: "", start, stop: text.length });
      return lines;
    }
    const stop = feed > start && text[feed - 1] === "\r" ? feed - 1 : feed;
    lines.push({ body: text.slice(start, stop), end: stop < feed ? "\r\n" : "\n", start, stop });
    start = feed + 1;
  }
}

/** The only line end that a text uses; undefined when it uses both or has none. */
export function uniformLineEnd(lines: readonly Line[]): "\n" | "\r\n" | undefined {
  const ends = new Set(lines.slice(0, -1).map((line) => line.end));
  const [only] = ends;
  return ends.size === 1 && only !== "" ? only : undefined;
}
