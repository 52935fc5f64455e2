import { Refused } from "../refusal.ts";
import type { ParsedEdit, RangeEdit } from "./edit.ts";
import { FENCE, openingLanguage, reopens } from "./fence.ts";
import { isOnlyParse, RANGE_LINE } from "./lc-ambiguity.ts";

/** More blocks than this are no edit that anyone reviews, and would cost time to take apart. */
const MAX_BLOCKS = 500;

const SHAPE = 'Each edit is a line "START,END" and a fenced block, blocks joined by one line break.';

/**
 * A locate-and-change answer: blocks of a range line and a fenced replacement.
 *
 * A fence, a range line and an opening fence in a row either join two blocks or stand in the replacement; the edit is
 * taken only when one reading is left.
 * @param fencesInFile whether the file has fence lines itself, so that a replacement may well have them too
 * @throws Refused `malformed`, `ambiguous`, `too-long`
 */
export function parseLc(lines: readonly string[], fencesInFile: boolean): ParsedEdit {
  const last = lines.length - 1;
  const lang = openingLanguage(lines[1]);
  if (!RANGE_LINE.test(lines[0] ?? "") || lang === undefined || last < 2 || lines[last] !== FENCE) {
    throw new Refused("malformed", "The edit is not a list of ranges with fenced blocks.", SHAPE, 1);
  }
  const joints = findJoints(lines);
  if (joints.length >= MAX_BLOCKS) {
    throw new Refused("too-long", `The answer has over ${MAX_BLOCKS} edits.`, "Ask for a smaller change.");
  }
  if (!isOnlyParse(lines, joints, fencesInFile)) {
    const reason = "The replacement holds fence lines that could also join two edits.";
    throw new Refused("ambiguous", reason, "Ask again for one edit, its fence named after the language.", joints[0]);
  }
  const starts = [0, ...joints.map((joint) => joint + 1)];
  const edits = starts.map((start, index) => block(lines, start, joints[index] ?? last));
  const merged = edits.find((edit) => reopens(edit.lines, lines[1]));
  if (merged) throw new Refused("ambiguous", "An edit reads as two, one without its range.", SHAPE, merged.at);
  return { format: "lc", lang, edits };
}

/** The lines (0-based) of fences that are followed by a range line and an opening fence, and can close a block. */
function findJoints(lines: readonly string[]): number[] {
  const joints: number[] = [];
  for (let at = 2; at + 3 < lines.length; at += 1) {
    const opens = RANGE_LINE.test(lines[at + 1] as string) && openingLanguage(lines[at + 2]) !== undefined;
    if (lines[at] === FENCE && opens) joints.push(at);
  }
  return joints;
}

function block(lines: readonly string[], start: number, close: number): RangeEdit {
  const [, from, to] = RANGE_LINE.exec(lines[start] as string) as unknown as [string, string, string];
  return { start: Number(from), end: Number(to), lines: lines.slice(start + 2, close), at: start + 1 };
}
