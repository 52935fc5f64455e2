import type { Hunk } from "./difflib.ts";
import { isBlank } from "./python-space.ts";

/**
 * Expands the range of each hunk in the first text until its lines occur exactly once there and are not all blank, and
 * the range in the second text by the same amounts. Of expansions of the same size the one that reaches furthest up is
 * used. Hunks of a blank text stay as they are.
 */
export function expandToUnique(lines: readonly string[], hunks: readonly Hunk[]): Hunk[] {
  if (isBlank(lines.join(""))) return [...hunks];
  const isUnique = uniquenessOf(lines);
  return hunks.map((hunk) => expandHunk(lines, isUnique, hunk));
}

type IsUnique = (first: number, end: number) => boolean;

/** Whether the lines `[first, end)` of a text occur once, found with indexOf in the joined text. */
function uniquenessOf(lines: readonly string[]): IsUnique {
  const text = `\n${lines.join("\n")}\n`;
  const offsets = [0];
  for (const line of lines) offsets.push((offsets.at(-1) ?? 0) + line.length + 1);
  return (first, end) => {
    const start = offsets[first] ?? 0;
    const window = text.slice(start, (offsets[end] ?? 0) + 1);
    return text.indexOf(window) === start && text.indexOf(window, start + 1) < 0;
  };
}

function expandHunk(lines: readonly string[], isUnique: IsUnique, { aStart, aEnd, bStart, bEnd }: Hunk): Hunk {
  let [before, after] = [aStart, lines.length - aEnd];
  for (let first = aStart; first >= 0 && aStart - first <= before + after; first -= 1) {
    const limit = Math.min(lines.length, aEnd + before + after - (aStart - first));
    const end = shortestUniqueEnd(lines, isUnique, first, aEnd, limit);
    if (end !== undefined) [before, after] = [aStart - first, end - aEnd];
  }
  return { aStart: aStart - before, aEnd: aEnd + after, bStart: bStart - before, bEnd: bEnd + after };
}

/**
 * The end, from `least` to `limit`, of the shortest window from `first` that occurs once and is not blank; undefined when
 * there is none. A longer window around a unique one is unique, so a binary search finds it.
 */
function shortestUniqueEnd(
  lines: readonly string[],
  isUnique: IsUnique,
  first: number,
  least: number,
  limit: number,
): number | undefined {
  const filled = lines.findIndex((line, at) => at >= first && !isBlank(line));
  let low = Math.max(least, filled + 1);
  let high = limit;
  if (filled < 0 || low > high || !isUnique(first, high)) return undefined;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isUnique(first, middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}
