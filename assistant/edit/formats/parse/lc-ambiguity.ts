import { FENCE, openingLanguage } from "../fence.ts";

/** The first line of a block: the range of lines of the file that it replaces. */
export const RANGE_LINE = /^(0|[1-9]\d*),(0|[1-9]\d*)$/;

/** Range lines as models miswrite them. */
const RANGE_LIKE = /^\s*[-+]?\d+\s*[,;:-]\s*[-+]?\d+\s*:?\s*$/;

/** Follows the fence lines inside a code block, which come in pairs. */
class FencePairs {
  open = false;
  readLine(line: string): void {
    if (this.open) this.open = line !== FENCE;
    else this.open = openingLanguage(line) !== undefined;
  }
}

/**
 * Whether splitting at every boundary is the only reading of a locate-and-change answer. A reading is possible when the
 * fence lines inside its replacements come in pairs.
 *
 * Answers whose fences name no language always have a second reading by that rule. They are accepted when neither the
 * file nor any replacement has a fence.
 */
export function isUnambiguous(lines: readonly string[], boundaries: readonly number[], fencesInFile: boolean): boolean {
  if (hasHalfBoundary(lines, boundaries)) return false;
  if (boundaries.length === 0) return true;
  if (boundaries.some((boundary, index) => boundaries[index + 1] === boundary + 2)) return false;
  const bounds = [-1, ...boundaries, lines.length - 1];
  const clean = bounds.slice(0, -1).every((start, index) => {
    return lines.slice(start + 3, bounds[index + 1]).every((line) => openingLanguage(line) === undefined);
  });
  const unnamed = [-1, ...boundaries].every((boundary) => lines[boundary + 2] === FENCE);
  if (clean && unnamed) return !fencesInFile;
  return splitsPair(lines, bounds) && countReadings(lines, bounds) === 1;
}

/** Whether a range line stands beside one fence instead of between two, as when one fence between two edits is missing. */
function hasHalfBoundary(lines: readonly string[], boundaries: readonly number[]): boolean {
  const headers = new Set([0, ...boundaries.map((boundary) => boundary + 1)]);
  return lines.some((line, at) => {
    if (headers.has(at) || !RANGE_LIKE.test(line)) return false;
    return (lines[at - 1] === FENCE && !headers.has(at - 2)) || lines[at + 1] === lines[1];
  });
}

/** Whether every replacement has its fence lines in pairs when all boundaries split. `bounds` begins before line 0. */
function splitsPair(lines: readonly string[], bounds: readonly number[]): boolean {
  return bounds.slice(0, -1).every((start, index) => {
    const pairs = new FencePairs();
    for (const line of lines.slice(start + 3, bounds[index + 1])) pairs.readLine(line);
    return !pairs.open;
  });
}

/** The number of ways to choose boundaries that leave all fences in pairs, counted up to 2. */
function countReadings(lines: readonly string[], bounds: readonly number[]): number {
  const ways = new Array<number>(bounds.length).fill(0);
  ways[bounds.length - 1] = 1;
  for (let from = bounds.length - 2; from >= 0; from -= 1) {
    const pairs = new FencePairs();
    let at = (bounds[from] as number) + 3;
    for (let to = from + 1; to < bounds.length; to += 1) {
      for (; at < (bounds[to] as number); at += 1) pairs.readLine(lines[at] as string);
      if (!pairs.open) ways[from] = Math.min(2, (ways[from] as number) + (ways[to] as number));
    }
  }
  return ways[0] as number;
}
