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
  const wanted = indentOf(search[anchor] as string);
  const candidates = findLines(search.map(withoutIndent), file.map(withoutIndent));
  const lines = file.map(withoutBlank);
  // The indentations of the candidates: each is searched for once, however many places have it.
  const indents = new Set(candidates.map((start) => indentOf(file[start + anchor] as string)));
  indents.delete(wanted);
  const offsets = [...indents].flatMap((there): IndentOffset[] => {
    const deeper = there.endsWith(wanted) && there.length > wanted.length;
    const add = deeper ? there.slice(0, there.length - wanted.length) : "";
    const remove = deeper ? "" : wanted.slice(0, wanted.length - there.length);
    const moved = search.map((line) => (isBlank(line) ? "" : applyOffset({ add, remove }, line)));
    if (moved.some((line) => line === undefined)) return [];
    const starts = findLines(moved as string[], lines);
    return starts
      .filter((at) => indentOf(file[at + anchor] as string) === there)
      .map((start) => ({ start, add, remove }));
  });
  return offsets.sort((one, other) => one.start - other.start);
}

const withoutBlank = (line: string) => (isBlank(line) ? "" : line);

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

function applyOffset({ add, remove }: Pick<IndentOffset, "add" | "remove">, line: string): string | undefined {
  return line.startsWith(remove) ? add + line.slice(remove.length) : undefined;
}

function leastIndent(lines: readonly string[]): string | undefined {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  return indents.reduce((least, indent) => (indent.length < least.length ? indent : least));
}
