import { hunksOf, withHunks } from "../../../edit/apply/hunks.ts";
import { type ParseOption, reject } from "../../../robot/command-line/values.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import { formatDiff } from "./format-result.ts";

/** Lines of a file, from 1, both included. */
export interface Lines {
  first: number;
  last: number;
}

/** Parses `--lines 10-20` or `--lines 10`. @throws InvalidArgumentError for anything else */
export const parseLines: ParseOption<Lines> = (text) => {
  const [, first = "0", last = first] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(text) ?? [];
  const lines = { first: Number(first), last: Number(last) };
  return lines.first > 0 && lines.first <= lines.last
    ? lines
    : reject("a line or a range of lines from 1", "--lines 10-20");
};

/**
 * The selection `[start, end)` of some lines in a text, in Unicode code points as `loc` of a sample counts, without the last
 * line's end.
 * @throws WorkbenchError `usage` for lines that the text does not have
 */
export function selectionOf(code: string, { first, last }: Lines): [number, number] {
  const lines = code.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  if (last > lines.length)
    throw new WorkbenchError("usage", `--lines ends at ${last}; the file has ${lines.length} line(s).`);
  const length = (text: string) => Array.from(text).length;
  const start = first === 1 ? 0 : length(lines.slice(0, first - 1).join("\n")) + 1;
  return [start, start + length(lines.slice(first - 1, last).join("\n"))];
}

/** Whether an edit changes lines outside of a selection; lines that it inserts beside the selection are inside. */
export const changesOutside = (before: string, after: string, { first, last }: Lines): boolean =>
  hunksOf(before, after).some(({ start, end }) => start < first - 1 || end > last);

/** Asks for each change of an edit whether to keep it; returns the text with those that are kept. */
export async function chooseHunks(name: string, before: string, after: string, terminal: Terminal): Promise<string> {
  const kept: ReturnType<typeof hunksOf> = [];
  for (const hunk of hunksOf(before, after)) {
    terminal.out(formatDiff(name, before, withHunks(before, [hunk]), terminal.colour));
    if (await terminal.confirm("Keep this change?")) kept.push(hunk);
  }
  return withHunks(before, kept);
}
