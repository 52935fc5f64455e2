import type { Line } from "../../text/lines.ts";
import type { LineEdit } from "./line-edits.ts";

/** The end of a whole file: `keep` keeps a final newline, because answers often lose it before the closing fence. */
export const FINAL_NEWLINE_POLICIES = ["keep", "answer"] as const;
export type FinalNewlinePolicy = (typeof FINAL_NEWLINE_POLICIES)[number];

/** Turns a whole new file into a line edit of all its lines. */
export function resolveWf(
  content: readonly string[],
  file: readonly Line[],
  finalNewline: FinalNewlinePolicy = "keep",
): LineEdit[] {
  const given = content.length === 0 ? [""] : content;
  const endsInNewline = file.length > 1 && file.at(-1)?.body === "";
  const isEmpty = (line: string | undefined) => line === "" || line === "\r";
  const isEmptied = given.length === 1 && isEmpty(given[0]);
  const keepsEnd = finalNewline === "keep" && endsInNewline && !isEmptied;
  if (!keepsEnd) return [{ start: 0, end: file.length, lines: given }];
  return [{ start: 0, end: file.length, lines: [...(isEmpty(given.at(-1)) ? given.slice(0, -1) : given), ""] }];
}
