import { TOKEN } from "../tokens.ts";

/** The line that closes a code block. A line with anything else on it, indentation included, does not. */
export const FENCE = "```";

const OPENING = /^```([^`\r\n]*)$/;

/** The language after an opening fence ("" when it names none); undefined when the line opens no block. */
export function openingLanguage(line: string | undefined): string | undefined {
  return line === undefined ? undefined : OPENING.exec(line)?.[1];
}

/**
 * Whether a closing fence in a block's content is directly followed by the block's own opening line. Code hardly looks
 * so; two blocks do that ran together because something between them was lost.
 */
export function reopens(content: readonly string[], opening: string | undefined): boolean {
  return content.some((line, at) => line === FENCE && content[at + 1] === opening);
}

/** A fenced block. The content goes in as it is: a text with a final newline leaves an empty line before the fence. */
export function fenced(lang: string, content: string): string {
  return `${FENCE}${lang}\n${content}\n${FENCE}`;
}

/** One locate-and-change block: `start,end` and the lines that take the range's place. */
export function rangeBlock(lang: string, start: number, end: number, content: string): string {
  return `${start},${end}\n${fenced(lang, content)}`;
}

/** One search-and-replace block. */
export function searchBlock(lang: string, search: string, replacement: string): string {
  return fenced(lang, `${search}\n${TOKEN.separator}\n${replacement}`);
}
