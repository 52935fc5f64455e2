import { isBlank } from "../../text/python-space.ts";
import { findLines } from "./search.ts";

/** A place that matches the search text except that every line has the same indentation more or less. */
interface IndentOffset {
  /** 0-based line of the file. */
  start: number;
  /** Indentation to add to each replacement line. */
  add: string;
  /** Indentation to remove from each replacement line. */
  remove: string;
}

/** Spaces and tabs; other whitespace, such as a form feed, is content. */
const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";
const withoutIndent = (line: string) => (isBlank(line) ? "" : line.slice(indentOf(line).length));

/** The places where the lines match except for one uniform difference of indentation. */
export function findIndentOffsets(search: readonly string[], file: readonly string[]): IndentOffset[] {
  const anchor = search.findIndex((line) => !isBlank(line));
  if (anchor < 0) return [];
  const offsets: IndentOffset[] = [];
  for (const start of findLines(search.map(withoutIndent), file.map(withoutIndent))) {
    const [wanted, there] = [indentOf(search[anchor] as string), indentOf(file[start + anchor] as string)];
    const offset =
      there.endsWith(wanted) && there.length > wanted.length
        ? { start, add: there.slice(0, there.length - wanted.length), remove: "" }
        : { start, add: "", remove: wanted.slice(0, wanted.length - there.length) };
    const window = file.slice(start, start + search.length);
    const uniform = search.every((line, at) => isBlank(line) || applyOffset(offset, line) === window[at]);
    if (uniform && there !== wanted) offsets.push(offset);
  }
  return offsets;
}

/**
 * The replacement lines with the indentation of the file; undefined when they do not have the offset of the search text.
 * Search and replacement must have the same least indentation, because otherwise the replacement may be right already.
 */
export function reindent(
  offset: IndentOffset,
  search: readonly string[],
  lines: readonly string[],
): string[] | undefined {
  const filled = lines.filter((line) => !isBlank(line));
  if (filled.length > 0 && leastIndent(filled) !== leastIndent(search)) return undefined;
  const moved = lines.map((line) => (isBlank(line) ? line : applyOffset(offset, line)));
  return moved.every((line) => line !== undefined) ? moved : undefined;
}

function applyOffset({ add, remove }: IndentOffset, line: string): string | undefined {
  return line.startsWith(remove) ? add + line.slice(remove.length) : undefined;
}

function leastIndent(lines: readonly string[]): string | undefined {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  return indents.reduce((least, indent) => (indent.length < least.length ? indent : least));
}
