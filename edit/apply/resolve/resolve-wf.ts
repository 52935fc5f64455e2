import { diffLines } from "../../text/difflib.ts";
import { type Line, uniformLineEnd } from "../../text/lines.ts";
import type { LineEdit } from "./line-edits.ts";

/** The end of a whole file: `keep` keeps a final newline, because answers often lose it before the closing fence. */
export const FINAL_NEWLINE_POLICIES = ["keep", "answer"] as const;
export type FinalNewlinePolicy = (typeof FINAL_NEWLINE_POLICIES)[number];

/**
 * Turns a whole new file into line edits. In a file with both kinds of line ends only the changed lines are replaced, so that the others keep theirs.
 */
export function resolveWf(
  content: readonly string[],
  file: readonly Line[],
  finalNewline: FinalNewlinePolicy = "keep",
): LineEdit[] {
  const given = content.length === 0 ? [""] : content;
  const endsInNewline = file.length > 1 && file.at(-1)?.body === "";
  const empty = given.length === 1 && given[0] === "";
  const lines = finalNewline === "keep" && endsInNewline && !empty && given.at(-1) !== "" ? [...given, ""] : given;
  const mixed = file.length > 1 && uniformLineEnd(file) === undefined;
  if (!mixed || lines.some((line) => line.endsWith("\r"))) return [{ start: 0, end: file.length, lines }];
  const bodies = file.map((line) => line.body);
  return diffLines(bodies, lines).map(({ aStart, aEnd, bStart, bEnd }) => {
    return { start: aStart, end: aEnd, lines: lines.slice(bStart, bEnd) };
  });
}
