import type { RangeEdit } from "../formats/edit.ts";
import type { Convention } from "../formats/format.ts";
import { Refused } from "../refusal.ts";
import type { LineEdit } from "./line-edits.ts";

/**
 * Ranges held against a file of `count` displayed lines. All ranges count on the base text, in whatever order they
 * come; they must lie inside and apart.
 * @throws Refused `out-of-bounds`, `reversed`, `overlap`, `empty-insertion`, `line-numbers`
 */
export function resolveLc(edits: readonly RangeEdit[], convention: Convention, file: readonly string[]): LineEdit[] {
  const resolved = edits.map((edit) => ({ ...resolve(edit, convention, file), at: edit.at }));
  resolved.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, next] of resolved.entries()) {
    const previous = resolved[index - 1];
    if (previous === undefined) continue;
    const sameSpot = previous.start === previous.end && next.end === next.start && next.start === previous.start;
    if (next.start >= previous.end && !sameSpot) continue;
    const reason = `The edits at lines ${previous.at} and ${next.at} of the answer touch the same lines of the file.`;
    throw new Refused("overlap", reason, "Give each line of the file to one edit only.", next.at);
  }
  return resolved.map(({ start, end, lines }) => ({ start, end, lines }));
}

function resolve(edit: RangeEdit, convention: Convention, file: readonly string[]): LineEdit {
  const { start, end, at } = edit;
  const lowest = convention === "slice" ? 0 : 1;
  const said = `The range ${start},${end}`;
  if (start > end)
    throw new Refused("reversed", `${said} ends before it starts.`, "Write START,END with START <= END.", at);
  if (start < lowest || end > file.length) {
    const hint = `Lines ${lowest} to ${file.length} exist, read as ${convention}.`;
    throw new Refused("out-of-bounds", `${said} lies outside the file.`, hint, at);
  }
  const range = { start: convention === "slice" ? start : start - 1, end };
  refuseLineNumbers(edit, range.start, file);
  const blank = edit.lines.length === 0 || (edit.lines.length === 1 && edit.lines[0] === "");
  if (range.start < range.end) return { ...range, lines: blank ? [] : edit.lines };
  if (edit.lines.length > 0) return { ...range, lines: edit.lines };
  throw new Refused("empty-insertion", `${said} inserts nothing.`, "Leave the edit out, or give the lines.", at);
}

/** A model that copies the displayed line numbers into its replacement would put them into the file. */
function refuseLineNumbers({ lines, at }: RangeEdit, first: number, file: readonly string[]): void {
  const numbered = (line: string, index: number) => line.startsWith(`${first + index + 1} `);
  if (lines.length === 0 || !lines.every(numbered) || file.slice(first, first + lines.length).some(numbered)) return;
  const reason = `Each replacement line begins with its number in the file (${first + 1}...).`;
  throw new Refused("line-numbers", reason, "Give the code without the line numbers.", at);
}
