import type { Hunk } from "./difflib.ts";
import { isBlank } from "./python-space.ts";
import { longestRepeats } from "./repeats.ts";

/**
 * Expands the range of each hunk in the first text until its lines occur exactly once there and are not all blank, and
 * the range in the second text by the same amounts. Of expansions of the same size the one that reaches furthest up is
 * used. Hunks of a blank text stay as they are.
 */
export function expandToUnique(lines: readonly string[], hunks: readonly Hunk[]): Hunk[] {
  if (isBlank(lines.join(""))) return [...hunks];
  const ends = shortestUniqueEnds(lines);
  return hunks.map((hunk) => expandHunk(ends, hunk));
}

/** For each line the end of the shortest range from it that occurs once and is not blank; more than the lines if none. */
function shortestUniqueEnds(lines: readonly string[]): number[] {
  const repeats = longestRepeats(lines);
  const ends = new Array<number>(lines.length + 1).fill(lines.length + 1);
  let filled = lines.length + 1;
  for (let first = lines.length - 1; first >= 0; first -= 1) {
    if (!isBlank(lines[first] as string)) filled = first + 1;
    ends[first] = Math.max(filled, first + (repeats[first] as number) + 1);
  }
  return ends;
}

function expandHunk(ends: readonly number[], { aStart, aEnd, bStart, bEnd }: Hunk): Hunk {
  const count = ends.length - 1;
  let [before, after] = [aStart, count - aEnd];
  for (let first = aStart; first >= 0 && aStart - first <= before + after; first -= 1) {
    const limit = Math.min(count, aEnd + before + after - (aStart - first));
    const end = Math.max(aEnd, ends[first] as number);
    if (end <= limit) [before, after] = [aStart - first, end - aEnd];
  }
  return { aStart: aStart - before, aEnd: aEnd + after, bStart: bStart - before, bEnd: bEnd + after };
}
