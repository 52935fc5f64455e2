import type { ParsedEdit, RangeEdit } from "../../formats/edit.ts";
import type { Convention } from "../../formats/format.ts";
import { RANGE_LIKE } from "../../formats/parse/blocks.ts";
import { Refused } from "../../refusal.ts";
import { type LineEdit, sortDisjoint } from "./line-edits.ts";

/**
 * Resolves ranges against the lines of a file. All ranges refer to the text before the edit, in any order; they must lie
 * inside the file and not overlap.
 * @throws Refused `out-of-bounds`, `reversed`, `overlap`, `empty-insertion`, `line-numbers`
 */
export function resolveLc(
  { edits, ticks }: Extract<ParsedEdit, { format: "lc" }>,
  convention: Convention,
  file: readonly string[],
): LineEdit[] {
  if (ticks === 3) for (const edit of edits) refuseRanges(edit, file);
  return sortDisjoint(edits.map((edit) => ({ ...resolve(edit, convention, file), at: edit.at })));
}

function resolve(edit: RangeEdit, convention: Convention, file: readonly string[]): LineEdit {
  const { start, end, at } = edit;
  const lowest = convention === "slice" ? 0 : 1;
  const range = `The range ${start},${end}`;
  if (start > end)
    throw new Refused("reversed", `${range} ends before it starts.`, "Write START,END with START <= END.", at);
  if (start < lowest || end > file.length) {
    const hint = `Lines ${lowest} to ${file.length} exist, read as ${convention}.`;
    throw new Refused("out-of-bounds", `${range} lies outside the file.`, hint, at);
  }
  const target = { start: convention === "slice" ? start : start - 1, end };
  refuseLineNumbers(edit, target.start, file);
  const blank = edit.lines.length === 0 || (edit.lines.length === 1 && edit.lines[0] === "");
  if (target.start < target.end) return { ...target, lines: blank ? [] : edit.lines };
  if (edit.lines.length > 0) return { ...target, lines: edit.lines };
  throw new Refused("empty-insertion", `${range} inserts nothing.`, "Leave the edit out, or give the lines.", at);
}

/** Refuses a replacement with a range line, as when fences between two edits are missing, unless the file has that line. */
function refuseRanges({ lines, at }: RangeEdit, file: readonly string[]): void {
  const range = lines.find((line) => RANGE_LIKE.test(line) && !line.includes(":") && !file.includes(line));
  if (range === undefined) return;
  const reason = `The replacement has the line "${range.trim()}", which reads as the range of another edit.`;
  throw new Refused(
    "ambiguous",
    reason,
    "Put each edit between fences of its own, of four backticks if the line is code.",
    at,
  );
}

/**
 * Refuses a replacement that repeats the displayed line numbers, those of a blank line alone and those of a range that was meant
 * inclusively, too.
 */
function refuseLineNumbers({ start, lines, at }: RangeEdit, first: number, file: readonly string[]): void {
  // No line has the number 0, at which an insertion before the first line begins.
  for (const number of new Set([first + 1, Math.max(start, 1)])) {
    const numbered = (line: string, index: number) => line.startsWith(`${number + index} `);
    const isNumber = (line: string, index: number) => line.trimEnd() === String(number + index);
    const repeats =
      lines.some(numbered) && lines.every((line, index) => numbered(line, index) || isNumber(line, index));
    if (!repeats || file.slice(number - 1, number - 1 + lines.length).some(numbered)) continue;
    const reason = `Each replacement line begins with its number in the file (${number}...).`;
    throw new Refused("line-numbers", reason, "Give the code without the line numbers.", at);
  }
}
