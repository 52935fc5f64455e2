import type { SearchEdit } from "../../formats/edit.ts";
import { Refused } from "../../refusal.ts";
import { diffLines } from "../../text/difflib.ts";
import { comparable, withLost } from "../../text/look-alikes.ts";
import { isBlank } from "../../text/python-space.ts";
import { explainMiss } from "./explain-miss.ts";
import { findIndentOffsets, reindent } from "./indent-offset.ts";
import { type LineEdit, type LineEdits, sortDisjoint } from "./line-edits.ts";
import { lineFinder, nearestLines } from "./search.ts";

/**
 * Resolves searches against the lines of a file. Each must occur exactly once, character by character; only spaces
 * at the ends of lines and a uniform difference of indentation are adapted, with a note.
 * @throws Refused `empty-search`, `not-found`, `found-twice`, `indent-drift`, `overlap`
 */
export function resolveSr(
  searches: readonly SearchEdit[],
  file: readonly string[],
  history: readonly string[] = [],
): LineEdits {
  const notes: string[] = [];
  const find = lineFinder(file);
  const loosely = LOOSELY.map(([like, what]) => ({ like, what, find: once(() => lineFinder(file.map(like))) }));
  const target = { file, history, notes, find, loosely };
  const found = searches.map((edit) => ({ ...locate(edit, target), at: edit.at }));
  return { edits: sortDisjoint(found), notes };
}

/** A file to search in, with what is computed once for all searches. */
interface Target {
  file: readonly string[];
  history: readonly string[];
  notes: string[];
  find(search: readonly string[]): number[];
  loosely: readonly { like(line: string): string; what: string; find(): (search: readonly string[]) => number[] }[];
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function locate(edit: SearchEdit, { file, history, notes, find, loosely }: Target): LineEdit {
  const { search, at } = edit;
  const empty = search.length === 0 || (isBlank(search.join("")) && !isBlank(file.join("")));
  if (empty) throw new Refused("empty-search", "The search has no text.", "Search for lines that are in the file.", at);
  const places = find(search);
  const lines = edit.lines.length === 1 && edit.lines[0] === "" ? [] : edit.lines;
  const [start] = places;
  if (places.length === 1 && start !== undefined) return { start, end: start + search.length, lines };
  if (places.length > 1) throw foundTwice(places, at);
  for (const { like, what, find: finder } of loosely) {
    const loose = finder()(search.map(like));
    if (loose.length > 1) throw foundTwice(loose, at);
    if (loose[0] === undefined) continue;
    notes.push(`The search at line ${loose[0] + 1} differs from the file in ${what}.`);
    const there = file.slice(loose[0], loose[0] + search.length);
    return { start: loose[0], end: loose[0] + search.length, lines: keepUnchanged(there, search, lines, like) };
  }
  const offsets = findIndentOffsets(search, file);
  const [offset] = offsets;
  if (offsets.length > 1)
    throw foundTwice(
      offsets.map((each) => each.start),
      at,
    );
  if (offset === undefined) throw notFound(search, file, history, at);
  const moved = reindent(offset, search, lines);
  if (moved === undefined) {
    const reason = `The file has the search text at line ${offset.start + 1} with other indentation.`;
    throw new Refused("indent-drift", reason, "Repeat the lines with the indentation of the file.", at);
  }
  notes.push(`The edit at line ${offset.start + 1} was re-indented to match the file.`);
  return { start: offset.start, end: offset.start + search.length, lines: moved };
}

const trimEnd = (line: string) => line.replace(/[ \t]+$/, "");
/** How lines are compared that are not in the file as they are searched, and what they differ in. */
const LOOSELY: readonly (readonly [(line: string) => string, string])[] = [
  [trimEnd, "spaces at the end of lines"],
  [(line) => trimEnd(comparable(line)), "characters that look alike"],
  [(line) => trimEnd(withLost(comparable(line))), "characters that were lost"],
];

/** The new lines, those that the search has, too, as they are in the file. */
function keepUnchanged(
  there: readonly string[],
  search: readonly string[],
  lines: readonly string[],
  like: (line: string) => string,
): string[] {
  const kept: string[] = [];
  let from = 0;
  for (const { aStart, aEnd, bStart, bEnd } of diffLines(search.map(like), lines.map(like))) {
    kept.push(...there.slice(from, aStart), ...lines.slice(bStart, bEnd));
    from = aEnd;
  }
  return [...kept, ...there.slice(from)];
}

function foundTwice(places: readonly number[], at: number): Refused {
  const lines = places.slice(0, 10).map((place) => place + 1);
  const reason = `The search text is at lines ${lines.join(", ")}${places.length > 10 ? " and more" : ""} of the file.`;
  return new Refused("found-twice", reason, "Search for more lines, so that they occur once.", at);
}

/** Lines of the file that a refusal shows. */
const MAX_SHOWN = 5;

/** The lines of the file that a search may mean, from a line on, counted from 1. */
function didYouMean(file: readonly string[], from: number, count: number): string {
  const lines = file.slice(from - 1, from - 1 + Math.min(count, MAX_SHOWN));
  return `The nearest is line ${from}. Did you mean ${lines.map((line) => JSON.stringify(line)).join(", ")}?`;
}

function notFound(search: readonly string[], file: readonly string[], history: readonly string[], at: number): Refused {
  const difference = explainMiss(search, file, history);
  const reason = difference ?? `${JSON.stringify(search[0])} and what follows is not in the file.`;
  const near = nearestLines(search, file);
  const hint = near === undefined ? "Copy the lines to replace from the file." : didYouMean(file, near, search.length);
  return new Refused("not-found", reason, hint, at);
}
