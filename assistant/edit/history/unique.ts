import { isBlank } from "../text/python-space.ts";
import type { Hunk } from "./difflib.ts";
import { longestRepeats } from "./repeats.ts";

/**
 * Each hunk's range in the first text grown until its lines occur exactly once there and are not all blank, its other
 * side by the same amounts. Of equal growths the one that reaches furthest up is taken; a text of blank lines has none.
 */
export function growHunks(lines: readonly string[], hunks: readonly Hunk[]): Hunk[] {
  if (isBlank(lines.join(""))) return [...hunks];
  const repeats = longestRepeats(lines);
  return hunks.map((hunk) => grow(lines, repeats, hunk));
}

/** Uniqueness only ever increases with the window, so for each first line one shortest unique window is enough. */
function grow(lines: readonly string[], repeats: Uint32Array, { aStart, aEnd, bStart, bEnd }: Hunk): Hunk {
  let [before, after] = [aStart, lines.length - aEnd];
  for (let first = aStart; first >= 0 && aStart - first <= before + after; first -= 1) {
    const end = Math.max(aEnd, shortestUniqueEnd(lines, repeats, first));
    if (end > lines.length || aStart - first + end - aEnd > before + after) continue;
    [before, after] = [aStart - first, end - aEnd];
  }
  return { aStart: aStart - before, aEnd: aEnd + after, bStart: bStart - before, bEnd: bEnd + after };
}

/** The end of the shortest window from `first` on that occurs once and is not blank; beyond the text if none is. */
function shortestUniqueEnd(lines: readonly string[], repeats: Uint32Array, first: number): number {
  let filled = first;
  while (filled < lines.length && isBlank(lines[filled] as string)) filled += 1;
  return Math.max(first + (repeats[first] ?? 0), filled) + 1;
}
