import type { SearchEdit } from "../formats/edit.ts";
import { Refused } from "../refusal.ts";
import { isBlank } from "../text/python-space.ts";
import { findDrift, moveAlong } from "./indent-drift.ts";
import type { LineEdit } from "./line-edits.ts";
import { findLines, nearestLines } from "./search.ts";

/** Where the searches stand in the file, and what had to be adapted on the way. */
export interface ResolvedSearches {
  edits: LineEdit[];
  notes: string[];
}

/**
 * Searches held against the lines of a file. Each must stand there exactly once, line by line and character by
 * character; only indentation that is off by the same amount on every line is moved along, and said so.
 * @throws Refused `empty-search`, `not-found`, `found-twice`, `indent-drift`, `overlap`
 */
export function resolveSr(searches: readonly SearchEdit[], file: readonly string[]): ResolvedSearches {
  const notes: string[] = [];
  const found = searches.map((edit) => ({ ...locate(edit, file, notes), at: edit.at }));
  found.sort((a, b) => a.start - b.start);
  for (const [index, next] of found.entries()) {
    const previous = found[index - 1];
    if (previous === undefined || next.start >= previous.end) continue;
    const reason = `The searches at lines ${previous.at} and ${next.at} of the answer share lines of the file.`;
    throw new Refused("overlap", reason, "Put changes that touch into one edit.", next.at);
  }
  return { edits: found.map(({ start, end, lines }) => ({ start, end, lines })), notes };
}

function locate(edit: SearchEdit, file: readonly string[], notes: string[]): LineEdit {
  const { search, at } = edit;
  const empty = search.length === 0 || (isBlank(search.join("")) && !isBlank(file.join("")));
  if (empty) throw new Refused("empty-search", "The search has no text.", "Search for lines that are in the file.", at);
  const places = findLines(search, file);
  const lines = edit.lines.length === 1 && edit.lines[0] === "" ? [] : edit.lines;
  const [start] = places;
  if (places.length === 1 && start !== undefined) return { start, end: start + search.length, lines };
  if (places.length > 1) throw foundTwice(places, at);
  const drifts = findDrift(search, file);
  const [drift] = drifts;
  if (drifts.length > 1)
    throw foundTwice(
      drifts.map((each) => each.start),
      at,
    );
  if (drift === undefined) throw notFound(search, file, at);
  const moved = moveAlong(drift, search, lines);
  if (moved === undefined) {
    const reason = `The file has the search text at line ${drift.start + 1} with other indentation.`;
    throw new Refused("indent-drift", reason, "Repeat the lines with the indentation of the file.", at);
  }
  notes.push(`The edit at line ${drift.start + 1} was re-indented to match the file.`);
  return { start: drift.start, end: drift.start + search.length, lines: moved };
}

function foundTwice(places: readonly number[], at: number): Refused {
  const lines = places.slice(0, 10).map((place) => place + 1);
  const reason = `The search text stands at lines ${lines.join(", ")}${places.length > 10 ? " and more" : ""} of the file.`;
  return new Refused("found-twice", reason, "Search for more lines, so that they occur once.", at);
}

function notFound(search: readonly string[], file: readonly string[], at: number): Refused {
  const near = nearestLines(search, file);
  const hint = near === undefined ? "Copy the lines to replace from the file." : `The nearest is line ${near}.`;
  return new Refused("not-found", `${JSON.stringify(search[0])} and what follows is not in the file.`, hint, at);
}
