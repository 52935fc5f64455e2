import { diffLines, type Hunk } from "../text/difflib.ts";
import { collapseSpace, indentation } from "../text/python-space.ts";

/**
 * The changes from a newer text (`a`) back to an older one (`b`) as in training data: changes of whitespace alone are left
 * out, unless the deepest indentation of the two texts differs.
 */
export function recordedChanges(newer: readonly string[], older: readonly string[]): Hunk[] {
  const reindented = deepest(newer) !== deepest(older);
  return diffLines(newer, older).filter(
    (hunk) =>
      reindented ||
      collapseSpace(newer.slice(hunk.aStart, hunk.aEnd).join(" ")) !==
        collapseSpace(older.slice(hunk.bStart, hunk.bEnd).join(" ")),
  );
}

function deepest(lines: readonly string[]): number {
  return lines.reduce((most, line) => Math.max(most, indentation(line)), 0);
}

/** Changes with at most this many unchanged lines between them are shown as one search and replacement. */
const MERGE_WITHIN = 2;

/** Joins changes that are at most `MERGE_WITHIN` lines apart in both texts. */
export function mergeNeighbours(hunks: readonly Hunk[]): Hunk[] {
  const merged: Hunk[] = [];
  for (const hunk of hunks) {
    const last = merged.at(-1);
    if (last && hunk.aStart - last.aEnd <= MERGE_WITHIN && hunk.bStart - last.bEnd <= MERGE_WITHIN) {
      merged[merged.length - 1] = {
        aStart: Math.min(last.aStart, hunk.aStart),
        aEnd: Math.max(last.aEnd, hunk.aEnd),
        bStart: Math.min(last.bStart, hunk.bStart),
        bEnd: Math.max(last.bEnd, hunk.bEnd),
      };
    } else {
      merged.push(hunk);
    }
  }
  return merged;
}
