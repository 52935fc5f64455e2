import { TOKEN } from "../tokens.ts";

const FENCE = "```";

/** A line that opens or closes a code block, as CommonMark has it. */
export interface Fence {
  /** Only backticks open and close the blocks of an answer. */
  mark: "`" | "~";
  ticks: number;
  /** What follows them, trimmed; "" for a fence that may close a block. */
  info: string;
  isIndented: boolean;
}

/** Backticks, or tildes; more of them underline titles. */
const MARKS = "`{3,}|(?<!~)~{3,4}(?!~)";
const FENCE_LINE = new RegExp(`^( {0,3})(${MARKS})([^\`]*)$`);
/** A fence that lost the line break before it. */
const GLUED_FENCE = /[^\s`]`{3,}[\w+#.-]*\s*$/;
/** A language, then attributes or a file name: `python title="main.py"`, `python:main.py`, `js {1,3}`. */
const INFO =
  /^(?:[A-Za-z][\w+#.-]*)?(?::[\w./-]+)?(?:[ \t]+(?:[\w-]+=(?:"[^"]*"|'[^']*'|\S+)|\{[^{}]*\}|[\w./-]+\.\w+))*$/;

/** The fence of a line; undefined for any other line. */
export function readFence(line: string | undefined): Fence | undefined {
  const [, indent, ticks, info] = FENCE_LINE.exec(line ?? "") ?? [];
  if (indent === undefined || ticks === undefined || info === undefined) return undefined;
  return { mark: ticks.startsWith("~") ? "~" : "`", ticks: ticks.length, info: info.trim(), isIndented: indent !== "" };
}

/** A fence behind spaces, quotes or the marks of a comment. */
const PREFIXED_FENCE = new RegExp(`^([^\\w\`]*?)(${MARKS})`);
/** Characters that end lines elsewhere, but not in a file of code. */
const SEPARATORS = "\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029";
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);

/** What stands before the fence of a line that could be a fence. */
export const prefixOfFence = (line: string) => PREFIXED_FENCE.exec(line)?.[1] ?? "";

/** Whether a line of code could be a fence of an answer whose fences have a number of backticks, or hold one. */
export function looksLikeFence(line: string, ticks: number): boolean {
  if (!/`{3}|~{3}/.test(line)) return false;
  return line
    .split(SEPARATOR)
    .some((part) => (PREFIXED_FENCE.exec(part)?.[2]?.length ?? 0) >= ticks || GLUED_FENCE.test(part));
}

/** The language that a fence names, as written; undefined when what follows the backticks is not a name. */
export function languageOfFence({ info }: Fence): string | undefined {
  return INFO.test(info) ? (/^[\w+#.-]*/.exec(info)?.[0] ?? "") : undefined;
}

/** Whether a text has lines that could be fences. */
export const hasFences = (text: string) => text.split("\n").some((line) => looksLikeFence(line, 3));

/** A fenced block. A content with a final newline leaves an empty line before the closing fence. */
export function fencedBlock(lang: string, content: string, fence: string = FENCE): string {
  return `${fence}${lang}\n${content}\n${fence}`;
}

/** A locate-and-change block: `start,end` and the lines that replace the range. */
export function rangeBlock(lang: string, start: number, end: number, content: string, fence?: string): string {
  return `${start},${end}\n${fencedBlock(lang, content, fence)}`;
}

export function searchBlock(lang: string, search: string, replacement: string, fence?: string): string {
  return fencedBlock(lang, `${search}\n${TOKEN.separator}\n${replacement}`, fence);
}
