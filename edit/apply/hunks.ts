import { diffLines } from "../text/difflib.ts";
import type { LineEdit } from "./resolve/line-edits.ts";

/** The changes, each of which can be kept or left, between two texts, in order. A "\r" belongs to its line. */
export function hunksOf(before: string, after: string): LineEdit[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  return diffLines(a, b).map(({ aStart, aEnd, bStart, bEnd }) => {
    return { start: aStart, end: aEnd, lines: b.slice(bStart, bEnd) };
  });
}

/** The text with some of its changes, in order; with all of them it is the text after the edit. */
export function withHunks(before: string, hunks: readonly LineEdit[]): string {
  const lines = before.split("\n");
  const parts: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    parts.push(...lines.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  return [...parts, ...lines.slice(at)].join("\n");
}
