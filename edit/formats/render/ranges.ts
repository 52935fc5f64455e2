import type { Hunk } from "../../text/difflib.ts";

/** Lines `[start, end)` of the older text that a block replaces. */
export interface Range {
  start: number;
  end: number;
}

export const rangeOf = ({ aStart, aEnd }: Hunk): Range => ({ start: aStart, end: aEnd });

/** Extends a range by the line above, or at the top by the line below; unchanged when the text has no other line. */
export function includeNeighbour({ start, end }: Range, count: number): Range {
  return start > 0 ? { start: start - 1, end } : { start, end: Math.min(count, end + 1) };
}

/** Sorts ranges and joins those that overlap or touch. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((x, y) => x.start - y.start || x.end - y.end)) {
    const last = joined.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

/** The hunk of a range: its lines in the older text, and the lines that the hunks inside it make of them. */
export function toHunk({ start, end }: Range, hunks: readonly Hunk[]): Hunk {
  const inside = hunks.filter((hunk) => hunk.aStart >= start && hunk.aEnd <= end);
  const [first, last] = [inside[0] as Hunk, inside.at(-1) as Hunk];
  return {
    aStart: start,
    aEnd: end,
    bStart: first.bStart - (first.aStart - start),
    bEnd: last.bEnd + (end - last.aEnd),
  };
}
