import { TOKEN } from "../tokens.ts";

const FENCE = "```";

/** A line that opens or closes a code block, as CommonMark has it. */
export interface Fence {
  /** The number of backticks. */
  ticks: number;
  /** What follows them, trimmed; "" for a fence that may close a block. */
  info: string;
  isIndented: boolean;
}

const FENCE_LINE = /^( {0,3})(`{3,})([^`]*)$/;
/** A fence that lost the line break before it. */
const GLUED_FENCE = /[^\s`]`{3,}[\w+#.-]*\s*$/;
/** A language, then attributes or a file name: `python title="main.py"`, `python:main.py`, `js {1,3}`. */
const INFO =
  /^(?:[A-Za-z][\w+#.-]*)?(?::[\w./-]+)?(?:\s+(?:[\w-]+=(?:"[^"]*"|'[^']*'|\S+)|\{[^{}]*\}|[\w./-]+\.\w+))*$/;

/** The fence of a line; undefined for any other line. */
export function readFence(line: string | undefined): Fence | undefined {
  const [, indent, ticks, info] = FENCE_LINE.exec(line ?? "") ?? [];
  if (indent === undefined || ticks === undefined || info === undefined) return undefined;
  return { ticks: ticks.length, info: info.trim(), isIndented: indent !== "" };
}

/** Backticks behind spaces, quotes or the marks of a comment. */
const PREFIXED_FENCE = /^([^\w`]*)(`{3,})/;

/** What stands before the backticks of a line that could be a fence. */
export const prefixOfFence = (line: string) => PREFIXED_FENCE.exec(line)?.[1] ?? "";

/** Whether a line of code could be a fence of an answer whose fences have a number of backticks. */
export function looksLikeFence(line: string, ticks: number): boolean {
  if (!line.includes(FENCE)) return false;
  return (PREFIXED_FENCE.exec(line)?.[2]?.length ?? 0) >= ticks || GLUED_FENCE.test(line);
}

/** The language that a fence names, as written; undefined when what follows the backticks is not a name. */
export function languageOfFence({ info }: Fence): string | undefined {
  return INFO.test(info) ? (/^[\w+#.-]*/.exec(info)?.[0] ?? "") : undefined;
}

/** Whether a text has lines that could be fences. */
export const hasFences = (text: string) =>
  text.includes(FENCE) && text.split("\n").some((line) => looksLikeFence(line, 3));

/** A fenced block. A content with a final newline leaves an empty line before the closing fence. */
export function fenced(lang: string, content: string, fence: string = FENCE): string {
  return `${fence}${lang}\n${content}\n${fence}`;
}

/** A locate-and-change block: `start,end` and the lines that replace the range. */
export function rangeBlock(lang: string, start: number, end: number, content: string, fence?: string): string {
  return `${start},${end}\n${fenced(lang, content, fence)}`;
}

/** A search-and-replace block. */
export function searchBlock(lang: string, search: string, replacement: string, fence?: string): string {
  return fenced(lang, `${search}\n${TOKEN.separator}\n${replacement}`, fence);
}
