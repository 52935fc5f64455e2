import { Refused } from "../../refusal.ts";
import type { ParsedEdit, RangeEdit } from "../edit.ts";
import { FENCE, hasReopenedBlock, openingLanguage } from "../fence.ts";
import { isUnambiguous, RANGE_LINE } from "./lc-ambiguity.ts";

/** More blocks than this cannot be reviewed. */
const MAX_BLOCKS = 500;

const SHAPE = 'Each edit is a line "START,END" and a fenced block, blocks joined by one line break.';

/**
 * Parses a locate-and-change answer: blocks of a range line and a fenced replacement.
 *
 * A fence, a range line and an opening fence in a row are either the boundary of two blocks or part of the replacement;
 * the edit is refused unless only one reading is possible.
 * @param fencesInFile whether the file has fence lines, so that a replacement may have them, too
 * @throws Refused `malformed`, `ambiguous`, `too-long`
 */
export function parseLc(lines: readonly string[], fencesInFile: boolean): ParsedEdit {
  const last = lines.length - 1;
  const lang = openingLanguage(lines[1]);
  if (!RANGE_LINE.test(lines[0] ?? "") || lang === undefined || last < 2 || lines[last] !== FENCE) {
    throw new Refused("malformed", "The edit is not a list of ranges with fenced blocks.", SHAPE, 1);
  }
  const boundaries = findBlockBoundaries(lines);
  if (boundaries.length >= MAX_BLOCKS) {
    throw new Refused("too-long", `The answer has over ${MAX_BLOCKS} edits.`, "Ask for a smaller change.");
  }
  if (!isUnambiguous(lines, boundaries, fencesInFile)) {
    const reason = "The replacement has fence lines that could also separate two edits.";
    throw new Refused(
      "ambiguous",
      reason,
      "Ask again for one edit, its fence named after the language.",
      boundaries[0],
    );
  }
  const starts = [0, ...boundaries.map((boundary) => boundary + 1)];
  const edits = starts.map((start, index) => block(lines, start, boundaries[index] ?? last));
  const merged = edits.find((edit) => hasReopenedBlock(edit.lines, lines[1]));
  if (merged) throw new Refused("ambiguous", "An edit reads as two, one without its range.", SHAPE, merged.at);
  return { format: "lc", lang, edits };
}

/** The lines, from 0, of fences that are followed by a range line and an opening fence and so may end a block. */
function findBlockBoundaries(lines: readonly string[]): number[] {
  const boundaries: number[] = [];
  for (let at = 2; at + 3 < lines.length; at += 1) {
    const opens = RANGE_LINE.test(lines[at + 1] as string) && openingLanguage(lines[at + 2]) !== undefined;
    if (lines[at] === FENCE && opens) boundaries.push(at);
  }
  return boundaries;
}

function block(lines: readonly string[], start: number, close: number): RangeEdit {
  const [, from, to] = RANGE_LINE.exec(lines[start] as string) as unknown as [string, string, string];
  return { start: Number(from), end: Number(to), lines: lines.slice(start + 2, close), at: start + 1 };
}
