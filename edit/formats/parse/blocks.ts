import { Refused } from "../../refusal.ts";
import { TOKEN } from "../../tokens.ts";
import { type Fence, languageOfFence, looksLikeFence, readFence } from "../fence.ts";
import type { Format } from "../format.ts";
import { languageName, languageOfFile } from "../language-name.ts";

/** How an answer is laid out: edits of one file in a format, or edits of several files, each after a line with its path. */
type Layout = Format | "files";

/** A fenced block of an answer. */
export interface Block {
  /** Line of the edit where the block begins, from 1. */
  at: number;
  /** The path before the block; only the first block of each of several files has one. */
  path: string | undefined;
  /** The numbers of the range line; only LC has one. */
  range: readonly [start: number, end: number];
  /** The number of backticks of its fences. */
  ticks: number;
  lang: string;
  /** The lines between the fences, split at the separators; only SR has them. */
  parts: string[][];
}

/** What stands before the content of a block: a path, or a range line in LC, and the opening fence. */
interface Header {
  first: number;
  path: string | undefined;
  range: Block["range"];
  open: number;
  fence: Fence;
}

/** More blocks than this cannot be reviewed. */
const MAX_BLOCKS = 500;

export const SHAPES: Readonly<Record<Layout, string>> = {
  wf: "Answer with the whole file in one fenced block, once.",
  lc: 'Each edit is a line "START,END" and a fenced block.',
  sr: `Each edit is a fenced block: search lines, ${TOKEN.separator} on a line of its own, replacement lines.`,
  files: 'Each file is a line "File: path" and the fenced blocks of its edit.',
};
const LONGER_FENCES = "If the code has fences, put the edit between fences of four backticks.";

const RANGE_LINE = /^\s*(0|[1-9]\d*)\s*,\s*(0|[1-9]\d*)\s*$/;
/** Range lines as models miswrite them. */
export const RANGE_LIKE = /^\s*[-+]?\d+\s*[,;:-]\s*[-+]?\d+\s*:?\s*$/;

const FILE_LINE = /^File:[ \t]+(`?)([^`\s](?:[^`]*[^`\s])?)\1\s*$/;
/** Lines before a file as models miswrite them. */
const FILE_LIKE = /^\W{0,6}file\W{0,3}:/i;

/** The path of a line `File: path`; undefined for any other line. */
export const pathOfLine = (line: string | undefined): string | undefined => FILE_LINE.exec(line ?? "")?.[2];

const isBlank = (line: string | undefined) => line !== undefined && line.trim() === "";

/**
 * Splits an edit into its blocks. All formats have the same grammar: a header, code, and a closing fence, with blank lines
 * between blocks. A closing fence that another header follows always ends its block, unless a code block is open inside;
 * whether the other fences are code is decided against the file (`refuseAmbiguousFences`). All fences of a file have the
 * same number of backticks.
 * @throws Refused `malformed`, `ambiguous` when a part of a block is missing, `too-long`
 */
export function splitBlocks(lines: readonly string[], layout: Layout): Block[] {
  const first = readHeader(lines, 0, layout);
  const closing = readFence(lines.at(-1));
  if (first === undefined || (layout !== "files" && !closes(closing, first.fence))) throw notFenced(layout);
  const blocks: Block[] = [];
  for (let header: Header | undefined = first; header !== undefined; ) {
    if (blocks.length >= MAX_BLOCKS) {
      throw new Refused("too-long", `The answer has over ${MAX_BLOCKS} edits.`, "Ask for a smaller change.");
    }
    const { close, next } = findEnd(lines, header, layout);
    blocks.push(readBlock(lines, header, close, layout));
    if (next === undefined && !closes(closing, header.fence)) throw notFenced(layout);
    header = next;
  }
  return blocks;
}

const notFenced = (layout: Layout) =>
  new Refused("malformed", "The edit is not made of fenced blocks.", SHAPES[layout], 1);

/**
 * Refuses blocks of a file that are not those of its format, or not of one language.
 * @throws Refused `malformed`, `ambiguous` when a part of a block is missing, `wrong-language`
 */
export function refuseMismatchedBlocks(blocks: readonly Block[], format: Format): void {
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
  if (format === "wf" && blocks.length > 1)
    throw new Refused("ambiguous", "A new file has two blocks.", `${SHAPES.wf} ${LONGER_FENCES}`, blocks[1]?.at);
  refuseOtherLanguages(blocks);
}

const closes = (fence: Fence | undefined, { ticks }: Fence) =>
  fence?.mark === "`" && fence.ticks === ticks && fence.info === "" && !fence.isIndented;

/** The header that begins at a line or after blank lines; undefined when something else does. */
function readHeader(lines: readonly string[], from: number, layout: Layout): Header | undefined {
  const skipBlank = (from: number) => {
    let at = from;
    while (isBlank(lines[at])) at += 1;
    return at;
  };
  const first = skipBlank(from);
  const range = layout === "lc" ? RANGE_LINE.exec(lines[first] ?? "") : undefined;
  if (range === null) return undefined;
  const path = layout === "files" ? pathOfLine(lines[first]) : undefined;
  const open = range === undefined && path === undefined ? first : skipBlank(first + 1);
  const fence = readFence(lines[open]);
  if (open >= lines.length - 1) return undefined;
  if (fence?.mark !== "`" || fence.isIndented || languageOfFence(fence) === undefined) return undefined;
  return { first, path, range: [Number(range?.[1] ?? 0), Number(range?.[2] ?? 0)], open, fence };
}

/** Whether a path between two unnamed fences could be what a document shows in a code block. */
const pathCouldBeCode = ({ path = "", fence }: Header, next: Header): boolean =>
  next.path !== undefined &&
  next.fence.info === "" &&
  fence.ticks === 3 &&
  languageName(fence.info === "" ? languageOfFile(path) : fence.info) === "markdown";

/**
 * Whether a range could be code that begins and ends with a fence: it lies above that of the empty block before it, and its fence has
 * no name.
 */
const rangeCouldBeCode = ({ range }: Header, content: readonly string[], next: Header): boolean =>
  content.every(isBlank) && next.fence.info === "" && next.range[0] <= range[0];

/** The line of a block's closing fence, and the header of the next block. */
function findEnd(lines: readonly string[], header: Header, layout: Layout): { close: number; next?: Header } {
  const { open, fence: outer } = header;
  let isInCode = false;
  for (let at = open + 1; at < lines.length - 1; at += 1) {
    const line = lines[at] as string;
    // A search may begin with a fence that its replacement begins with, too.
    if (line.trim() === TOKEN.separator) isInCode = false;
    const fence = readFence(line);
    if (fence?.mark !== "`" || fence.ticks < outer.ticks) continue;
    if (!isInCode && closes(fence, outer)) {
      const next = readHeader(lines, at + 1, layout);
      const found = next?.path !== undefined || next?.fence.ticks === outer.ticks ? next : undefined;
      if (found && layout === "files" && pathCouldBeCode(header, found))
        throw new Refused(
          "ambiguous",
          "The path of a file could be in a code block of the one before.",
          LONGER_FENCES,
          at + 1,
        );
      if (found && layout === "lc" && rangeCouldBeCode(header, lines.slice(open + 1, at), found)) {
        const hint = "Put the edits in the order of the file, or name the language of each fence.";
        throw new Refused("ambiguous", "A range could be the code of the block before it.", hint, found.first + 1);
      }
      if (found && layout !== "wf") return { close: at, next: found };
      if (found || (layout === "lc" && readHeader(lines, at + 1, "sr")?.fence.ticks === outer.ticks)) {
        const what = layout === "wf" ? "two files, one after the other" : "two edits, one without its range";
        throw new Refused("ambiguous", `The edit reads as ${what}.`, `${SHAPES[layout]} ${LONGER_FENCES}`, at + 1);
      }
    }
    isInCode = fence.info !== "" || !isInCode;
  }
  return { close: lines.length - 1 };
}

function readBlock(
  lines: readonly string[],
  { first, path, range, open, fence }: Header,
  close: number,
  layout: Layout,
): Block {
  const content = lines.slice(open + 1, close);
  const doubled = readFence(content.find((line) => !isBlank(line)));
  if (doubled?.ticks === fence.ticks && doubled.info === fence.info) {
    throw new Refused("ambiguous", "The opening fence is there twice.", `${SHAPES[layout]} ${LONGER_FENCES}`, open + 2);
  }
  if (layout === "lc" || layout === "files") refuseStrayHeader(content, fence.ticks, open + 2, layout);
  const parts: string[][] = [[]];
  for (const [at, line] of content.entries()) {
    if (line.trim() === TOKEN.separator) parts.push([]);
    else if (line.includes(TOKEN.separator)) {
      throw new Refused("malformed", "The separator shares its line with text.", SHAPES[layout], open + at + 2);
    } else parts.at(-1)?.push(line);
  }
  return { at: first + 1, path, range, ticks: fence.ticks, lang: languageOfFence(fence) ?? "", parts };
}

/** Refuses a range or a path beside a fence inside of a block: one of the two fences between two edits is missing. */
function refuseStrayHeader(content: readonly string[], ticks: number, firstLine: number, layout: "lc" | "files"): void {
  const [headerLike, what] = layout === "lc" ? [RANGE_LIKE, "range"] : [FILE_LIKE, "path"];
  const filled = content.flatMap((line, at) => (isBlank(line) ? [] : [{ line, at }]));
  const stray = filled.find(({ line }, index) => {
    const isFence = (other: { line: string } | undefined) => other !== undefined && looksLikeFence(other.line, ticks);
    return headerLike.test(line) && (isFence(filled[index - 1]) || isFence(filled[index + 1]));
  });
  if (stray === undefined) return;
  const reason = `A block has a ${what} and a fence inside, as when two edits ran together.`;
  throw new Refused("ambiguous", reason, `${SHAPES[layout]} ${LONGER_FENCES}`, firstLine + stray.at);
}

function refuseOtherLanguages(blocks: readonly Block[]): void {
  const named = blocks.filter(({ lang }) => lang !== "");
  const other = named.find(({ lang }) => languageName(lang) !== languageName(named[0]?.lang ?? ""));
  if (other === undefined) return;
  const reason = `One edit is in ${named[0]?.lang}, another in ${other.lang}.`;
  throw new Refused("wrong-language", reason, "Answer with edits of one file only.", other.at);
}
