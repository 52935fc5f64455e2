import { Refused } from "../../refusal.ts";
import { TOKEN } from "../../tokens.ts";
import { type Fence, languageOfFence, looksLikeFence, readFence } from "../fence.ts";
import type { Format } from "../format.ts";
import { languageName } from "../language-name.ts";

/** A fenced block of an answer. */
interface Block {
  /** Line of the edit where the block begins, from 1. */
  at: number;
  /** The numbers of the range line; only LC has one. */
  range: readonly [start: number, end: number];
  lang: string;
  /** The lines between the fences, split at the separators; only SR has them. */
  parts: string[][];
}

/** The blocks of an answer; all their fences have the same number of backticks. */
interface Blocks {
  ticks: number;
  blocks: Block[];
}

/** What stands before the content of a block: a range line in LC, and the opening fence. */
interface Header {
  first: number;
  range: Block["range"];
  open: number;
  fence: Fence;
}

/** More blocks than this cannot be reviewed. */
const MAX_BLOCKS = 500;

const SHAPES: Readonly<Record<Format, string>> = {
  wf: "Answer with the whole file in one fenced block, once.",
  lc: 'Each edit is a line "START,END" and a fenced block.',
  sr: `Each edit is a fenced block: search lines, ${TOKEN.separator} on a line of its own, replacement lines.`,
};
const LONGER_FENCES = "If the code has fences, put the edit between fences of four backticks.";

const RANGE_LINE = /^\s*(0|[1-9]\d*)\s*,\s*(0|[1-9]\d*)\s*$/;
/** Range lines as models miswrite them. */
export const RANGE_LIKE = /^\s*[-+]?\d+\s*[,;:-]\s*[-+]?\d+\s*:?\s*$/;

const isBlank = (line: string | undefined) => line !== undefined && line.trim() === "";

/**
 * Splits an edit into its blocks. All formats have the same grammar: a header, code, and a closing fence, with blank lines
 * between blocks. A closing fence that another header follows always ends its block, unless a code block is open inside;
 * whether the other fences are code is decided against the file (`refuseAmbiguousFences`).
 * @throws Refused `malformed`, `ambiguous` when a part of a block is missing, `wrong-language` for blocks in two languages,
 *   `too-long`
 */
export function splitBlocks(lines: readonly string[], format: Format): Blocks {
  const first = readHeader(lines, 0, format);
  const last = lines.length - 1;
  const closing = readFence(lines[last]);
  if (first === undefined || !closes(closing, first.fence)) {
    throw new Refused("malformed", "The edit is not made of fenced blocks.", SHAPES[format], 1);
  }
  const blocks: Block[] = [];
  for (let header: Header | undefined = first; header !== undefined; ) {
    if (blocks.length >= MAX_BLOCKS) {
      throw new Refused("too-long", `The answer has over ${MAX_BLOCKS} edits.`, "Ask for a smaller change.");
    }
    const { close, next } = findEnd(lines, header, first.fence, format);
    blocks.push(readBlock(lines, header, close, format));
    header = next;
  }
  const expected = format === "sr" ? 2 : 1;
  const odd = blocks.find(({ parts }) => parts.length !== expected);
  // Without a separator, the block may be a part of the one before.
  if (odd) {
    const reason = `A block has ${odd.parts.length - 1} separators.`;
    throw new Refused(
      odd.parts.length === 1 && blocks.length > 1 ? "ambiguous" : "malformed",
      reason,
      SHAPES[format],
      odd.at,
    );
  }
  refuseOtherLanguages(blocks);
  return { ticks: first.fence.ticks, blocks };
}

const closes = (fence: Fence | undefined, { ticks }: Fence) =>
  fence?.mark === "`" && fence.ticks === ticks && fence.info === "" && !fence.isIndented;

/** The header that begins at a line or after blank lines; undefined when something else does. */
function readHeader(lines: readonly string[], from: number, format: Format): Header | undefined {
  const skipBlank = (from: number) => {
    let at = from;
    while (isBlank(lines[at])) at += 1;
    return at;
  };
  const first = skipBlank(from);
  const range = format === "lc" ? RANGE_LINE.exec(lines[first] ?? "") : undefined;
  if (range === null) return undefined;
  const open = range === undefined ? first : skipBlank(first + 1);
  const fence = readFence(lines[open]);
  if (open >= lines.length - 1) return undefined;
  if (fence?.mark !== "`" || fence.isIndented || languageOfFence(fence) === undefined) return undefined;
  return { first, range: [Number(range?.[1] ?? 0), Number(range?.[2] ?? 0)], open, fence };
}

/** The line of a block's closing fence, and the header of the next block. */
function findEnd(
  lines: readonly string[],
  { open }: Header,
  outer: Fence,
  format: Format,
): { close: number; next?: Header } {
  let isInCode = false;
  for (let at = open + 1; at < lines.length - 1; at += 1) {
    const line = lines[at] as string;
    // A search may begin with a fence that its replacement begins with, too.
    if (line.trim() === TOKEN.separator) isInCode = false;
    const fence = readFence(line);
    if (fence?.mark !== "`" || fence.ticks < outer.ticks) continue;
    if (!isInCode && closes(fence, outer)) {
      const next = readHeader(lines, at + 1, format);
      const found = next?.fence.ticks === outer.ticks ? next : undefined;
      if (found && format !== "wf") return { close: at, next: found };
      if (found || (format === "lc" && readHeader(lines, at + 1, "sr")?.fence.ticks === outer.ticks)) {
        const what = format === "wf" ? "two files, one after the other" : "two edits, one without its range";
        throw new Refused("ambiguous", `The edit reads as ${what}.`, `${SHAPES[format]} ${LONGER_FENCES}`, at + 1);
      }
    }
    isInCode = fence.info !== "" || !isInCode;
  }
  return { close: lines.length - 1 };
}

function readBlock(
  lines: readonly string[],
  { first, range, open, fence }: Header,
  close: number,
  format: Format,
): Block {
  const content = lines.slice(open + 1, close);
  const doubled = readFence(content.find((line) => !isBlank(line)));
  if (doubled?.ticks === fence.ticks && doubled.info === fence.info) {
    throw new Refused("ambiguous", "The opening fence is there twice.", `${SHAPES[format]} ${LONGER_FENCES}`, open + 2);
  }
  if (format === "lc") refuseStrayRange(content, fence.ticks, open + 2);
  const parts: string[][] = [[]];
  for (const [at, line] of content.entries()) {
    if (line.trim() === TOKEN.separator) parts.push([]);
    else if (line.includes(TOKEN.separator)) {
      throw new Refused("malformed", "The separator shares its line with text.", SHAPES[format], open + at + 2);
    } else parts.at(-1)?.push(line);
  }
  return { at: first + 1, range, lang: languageOfFence(fence) ?? "", parts };
}

/** Refuses a range beside a fence inside of a block: one of the two fences between two edits is missing. */
function refuseStrayRange(content: readonly string[], ticks: number, firstLine: number): void {
  const filled = content.flatMap((line, at) => (isBlank(line) ? [] : [{ line, at }]));
  const stray = filled.find(({ line }, index) => {
    const isFence = (other: { line: string } | undefined) => other !== undefined && looksLikeFence(other.line, ticks);
    return RANGE_LIKE.test(line) && (isFence(filled[index - 1]) || isFence(filled[index + 1]));
  });
  if (stray === undefined) return;
  const reason = "A block has a range and a fence inside, as when two edits ran together.";
  throw new Refused("ambiguous", reason, `${SHAPES.lc} ${LONGER_FENCES}`, firstLine + stray.at);
}

function refuseOtherLanguages(blocks: readonly Block[]): void {
  const named = blocks.filter(({ lang }) => lang !== "");
  const other = named.find(({ lang }) => languageName(lang) !== languageName(named[0]?.lang ?? ""));
  if (other === undefined) return;
  const reason = `One edit is in ${named[0]?.lang}, another in ${other.lang}.`;
  throw new Refused("wrong-language", reason, "Answer with edits of one file only.", other.at);
}
