import { fencedBlock, rangeBlock, searchBlock } from "../../formats/fence.ts";
import type { Format } from "../../formats/format.ts";
import { diffLines } from "../../text/difflib.ts";
import { TOKEN } from "../../tokens.ts";
import type { Random } from "./random.ts";
import type { RealEdit } from "./real-edits.ts";

/** Lines around an edit, as one block of an answer has them: what was changed, and what is repeated. */
export interface Region {
  start: number;
  /** The lines of the file that the block replaces. */
  old: string[];
  /** The lines that replace them. */
  lines: string[];
  /** The places in `lines` of those that are repeated, in runs. */
  repeated: number[][];
}

/** The lines around an edit; for a whole file, all. Undefined where the search would be found twice. */
export function regionOf({ before, after }: RealEdit, format: Format, random: Random): Region | undefined {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const hunks = diffLines(a, b);
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const above = format === "wf" ? first.aStart : Math.min(first.aStart, 3 + random.below(15));
  const below = format === "wf" ? a.length - last.aEnd : Math.min(a.length - last.aEnd - 1, 3 + random.below(15));
  if (below < 0) return undefined;
  const [start, end] = [first.aStart - above, last.aEnd + below];
  const lines = b.slice(first.bStart - above, last.bEnd + below);
  const old = a.slice(start, end);
  if (format === "sr" && before.split(old.join("\n")).length !== 2) return undefined;
  const repeated: number[][] = [[]];
  const changed = hunks.flatMap(({ bStart, bEnd }) => Array.from({ length: bEnd - bStart }, (_, at) => bStart + at));
  const isGap = new Set(hunks.map(({ bStart }) => bStart));
  for (const at of lines.keys()) {
    const place = at + first.bStart - above;
    if (isGap.has(place)) repeated.push([]);
    if (!changed.includes(place)) repeated.at(-1)?.push(at);
  }
  return { start, old, lines, repeated: repeated.filter((run) => run.length > 0) };
}

/** The answer with a block of these lines. @param search the lines to search for, by default those of the file */
export function writeRegion(
  { start, old }: Region,
  format: Format,
  lang: string,
  lines: readonly string[],
  search: readonly string[] = old,
): string {
  const ticks = [...search, ...lines].join("\n").match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...ticks.map((run) => run.length + 1)));
  const text = lines.join("\n");
  const block = {
    wf: () => fencedBlock(lang, text, fence),
    lc: () => rangeBlock(lang, start + 1, start + old.length, text, fence),
    sr: () => searchBlock(lang, search.join("\n"), text, fence),
  }[format]();
  return TOKEN.editStart + block + TOKEN.editEnd;
}
