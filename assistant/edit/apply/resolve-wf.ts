import { diffLines } from "../history/difflib.ts";
import { type Line, uniformEnd } from "../text/lines.ts";
import type { LineEdit } from "./line-edits.ts";

/**
 * A whole new file as line edits. A file that ends in a newline keeps it, because an answer easily loses it before the
 * closing fence. Where the file mixes line ends, only changed lines are touched, so that the others keep theirs.
 */
export function resolveWf(content: readonly string[], file: readonly Line[]): LineEdit[] {
  const given = content.length === 0 ? [""] : content;
  const endsInNewline = file.length > 1 && file.at(-1)?.body === "";
  const empty = given.length === 1 && given[0] === "";
  const lines = endsInNewline && !empty && given.at(-1) !== "" ? [...given, ""] : given;
  const mixed = file.length > 1 && uniformEnd(file) === undefined;
  if (!mixed || lines.some((line) => line.endsWith("\r"))) return [{ start: 0, end: file.length, lines }];
  const bodies = file.map((line) => line.body);
  return diffLines(bodies, lines).map(({ aStart, aEnd, bStart, bEnd }) => {
    return { start: aStart, end: aEnd, lines: lines.slice(bStart, bEnd) };
  });
}
