import { TOKEN } from "../tokens.ts";

/** The line that closes a code block. An indented fence does not. */
export const FENCE = "```";

const OPENING = /^```([^`\r\n]*)$/;

/** The language after an opening fence ("" when there is none); undefined when the line is no opening fence. */
export function openingLanguage(line: string | undefined): string | undefined {
  return line === undefined ? undefined : OPENING.exec(line)?.[1];
}

/**
 * Whether a closing fence in a block's content is directly followed by the block's opening line. Code rarely contains
 * that; two blocks do when the text between them is missing.
 */
export function hasReopenedBlock(content: readonly string[], opening: string | undefined): boolean {
  return content.some((line, at) => line === FENCE && content[at + 1] === opening);
}

/** A fenced block. A content with a final newline leaves an empty line before the closing fence. */
export function fenced(lang: string, content: string): string {
  return `${FENCE}${lang}\n${content}\n${FENCE}`;
}

/** A locate-and-change block: `start,end` and the lines that replace the range. */
export function rangeBlock(lang: string, start: number, end: number, content: string): string {
  return `${start},${end}\n${fenced(lang, content)}`;
}

/** A search-and-replace block. */
export function searchBlock(lang: string, search: string, replacement: string): string {
  return fenced(lang, `${search}\n${TOKEN.separator}\n${replacement}`);
}
