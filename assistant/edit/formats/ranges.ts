import type { Hunk } from "../history/difflib.ts";

/** Lines `[start, end)` of the older text that one block of an answer replaces. */
export interface Range {
  start: number;
  end: number;
}

export const rangeOf = ({ aStart, aEnd }: Hunk): Range => ({ start: aStart, end: aEnd });

/** A range with the line above it, or the one below at the top; unchanged when the text has no other line. */
export function takeNeighbour({ start, end }: Range, count: number): Range {
  return start > 0 ? { start: start - 1, end } : { start, end: Math.min(count, end + 1) };
}

/** Ranges in order; those that overlap or touch are one. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((x, y) => x.start - y.start || x.end - y.end)) {
    const last = joined.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

/** A range with its other side: what its lines have become by the hunks that lie in it. */
export function withOtherSide({ start, end }: Range, hunks: readonly Hunk[]): Hunk {
  const inside = hunks.filter((hunk) => hunk.aStart >= start && hunk.aEnd <= end);
  const [first, last] = [inside[0] as Hunk, inside.at(-1) as Hunk];
  return {
    aStart: start,
    aEnd: end,
    bStart: first.bStart - (first.aStart - start),
    bEnd: last.bEnd + (end - last.aEnd),
  };
}
