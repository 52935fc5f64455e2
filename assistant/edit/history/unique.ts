import { isBlank } from "../text/python-space.ts";
import type { Hunk } from "./difflib.ts";

/** Lines to take in before and after a range so that it occurs once. */
interface Growth {
  before: number;
  after: number;
}

/**
 * The least growth that makes lines `[start, end)` occur exactly once in the text with at least one of them not
 * blank; of equal growths the one that reaches furthest up. Nothing to grow to in a text of blank lines.
 *
 * Uniqueness only ever increases with the window, so for each first line one shortest unique window is enough.
 */
export function growUntilUnique(lines: readonly string[], start: number, end: number): Growth {
  if (isBlank(lines.join(""))) return { before: 0, after: 0 };
  let best: Growth = { before: start, after: lines.length - end };
  for (let first = start; first >= 0 && start - first <= best.before + best.after; first -= 1) {
    const shortest = Math.max(end, shortestUniqueEnd(lines, first));
    if (shortest > lines.length) continue;
    const growth = { before: start - first, after: shortest - end };
    if (growth.before + growth.after <= best.before + best.after) best = growth;
  }
  return best;
}

/** The end of the shortest window from `first` on that occurs once and is not blank; beyond the text if none is. */
function shortestUniqueEnd(lines: readonly string[], first: number): number {
  let filled = first;
  while (filled < lines.length && isBlank(lines[filled] as string)) filled += 1;
  return Math.max(first + longestRepeat(lines, first) + 1, filled + 1);
}

/** How many lines from `first` on are found again elsewhere, overlapping or not: the Z-algorithm, linear in the text. */
function longestRepeat(lines: readonly string[], first: number): number {
  const tail = lines.slice(first);
  const text = [...tail, undefined, ...lines];
  const reach = new Uint32Array(text.length);
  let [left, right, longest] = [0, 0, 0];
  for (let at = 1; at < text.length; at += 1) {
    let size = at < right ? Math.min(right - at, reach[at - left] as number) : 0;
    while (at + size < text.length && text[size] === text[at + size] && text[size] !== undefined) size += 1;
    reach[at] = size;
    if (at + size > right) [left, right] = [at, at + size];
    const isSelf = at === tail.length + 1 + first;
    if (at > tail.length && !isSelf) longest = Math.max(longest, size);
  }
  return longest;
}

/** Each hunk's range in the first text grown until unique there, its other side by the same amounts. */
export function growHunks(lines: readonly string[], hunks: readonly Hunk[]): Hunk[] {
  return hunks.map((hunk) => {
    const { before, after } = growUntilUnique(lines, hunk.aStart, hunk.aEnd);
    return {
      aStart: hunk.aStart - before,
      aEnd: hunk.aEnd + after,
      bStart: hunk.bStart - before,
      bEnd: hunk.bEnd + after,
    };
  });
}
