import { isBlank } from "../text/python-space.ts";
import { findLines } from "./search.ts";

/** A place where the search text stands but for the same indentation missing or too much on every line. */
export interface Drift {
  /** 0-based line of the file. */
  start: number;
  /** What to put in front of each replacement line. */
  add: string;
  /** What to take away from the front of each replacement line. */
  remove: string;
}

/** Indentation only: other whitespace, such as a form feed, is content. */
const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";
const bare = (line: string) => (isBlank(line) ? "" : line.slice(indentOf(line).length));

/** The places where the lines match apart from one uniform difference of indentation. */
export function findDrift(search: readonly string[], file: readonly string[]): Drift[] {
  const anchor = search.findIndex((line) => !isBlank(line));
  if (anchor < 0) return [];
  const drifts: Drift[] = [];
  for (const start of findLines(search.map(bare), file.map(bare))) {
    const [wanted, there] = [indentOf(search[anchor] as string), indentOf(file[start + anchor] as string)];
    const drift =
      there.endsWith(wanted) && there.length > wanted.length
        ? { start, add: there.slice(0, there.length - wanted.length), remove: "" }
        : { start, add: "", remove: wanted.slice(0, wanted.length - there.length) };
    const window = file.slice(start, start + search.length);
    const uniform = search.every((line, at) => isBlank(line) || move(drift, line) === window[at]);
    if (uniform && there !== wanted) drifts.push(drift);
  }
  return drifts;
}

/**
 * The replacement with the drift undone; undefined when it does not share it. Search and replacement must have the same
 * least indentation: otherwise nothing says that the replacement drifted along.
 */
export function moveAlong(drift: Drift, search: readonly string[], lines: readonly string[]): string[] | undefined {
  const filled = lines.filter((line) => !isBlank(line));
  if (filled.length > 0 && leastIndent(filled) !== leastIndent(search)) return undefined;
  const moved = lines.map((line) => (isBlank(line) ? line : move(drift, line)));
  return moved.every((line) => line !== undefined) ? moved : undefined;
}

function move({ add, remove }: Drift, line: string): string | undefined {
  return line.startsWith(remove) ? add + line.slice(remove.length) : undefined;
}

function leastIndent(lines: readonly string[]): string | undefined {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  return indents.reduce((least, indent) => (indent.length < least.length ? indent : least));
}
