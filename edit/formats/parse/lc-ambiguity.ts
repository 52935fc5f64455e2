import { FENCE, openingLanguage } from "../fence.ts";

/** The first line of a block: the range of lines of the file that it replaces. */
export const RANGE_LINE = /^(0|[1-9]\d*),(0|[1-9]\d*)$/;

/** Range lines as models miswrite them. */
const RANGE_LIKE = /^\s*[-+]?\d+\s*[,;:-]\s*[-+]?\d+\s*:?\s*$/;

/*
 * The layout: `boundary` is the line of a closing fence; range line = boundary + 1, opening fence = boundary + 2,
 * replacement from boundary + 3; -1 stands before the first block.
 */

/** Follows the fence lines inside a code block, which come in pairs. */
class FencePairs {
  open = false;
  readLine(line: string): void {
    if (this.open) this.open = line !== FENCE;
    else this.open = openingLanguage(line) !== undefined;
  }
}

/**
 * Whether the answer can be split in one way only. A split counts when the fences inside each replacement are paired.
 *
 * Without a language name an opening fence equals a closing one, so such answers of several blocks are accepted only when
 * neither file nor replacements contain a fence.
 */
export function isUnambiguous(lines: readonly string[], boundaries: readonly number[], fencesInFile: boolean): boolean {
  if (hasIncompleteBoundary(lines, boundaries)) return false;
  if (boundaries.length === 0) return true;
  // The opening fence of one block would be the closing fence of the next boundary.
  if (boundaries.some((boundary, index) => boundaries[index + 1] === boundary + 2)) return false;
  const bounds = [-1, ...boundaries, lines.length - 1];
  const hasNoInnerFence = bounds.slice(0, -1).every((start, index) => {
    return contentOf(lines, start, bounds[index + 1]).every((line) => openingLanguage(line) === undefined);
  });
  const namesNoLanguage = [-1, ...boundaries].every((boundary) => lines[boundary + 2] === FENCE);
  if (hasNoInnerFence && namesNoLanguage) return !fencesInFile;
  return splitsPair(lines, bounds) && countReadings(lines, bounds) === 1;
}

/** The replacement of the block between two boundaries. */
function contentOf(lines: readonly string[], start: number, end: number | undefined): readonly string[] {
  return lines.slice(start + 3, end);
}

/** Whether a range line stands beside one fence instead of between two, as when one fence between two edits is missing. */
function hasIncompleteBoundary(lines: readonly string[], boundaries: readonly number[]): boolean {
  const firstOpening = lines[1];
  const rangeLines = new Set([0, ...boundaries.map((boundary) => boundary + 1)]);
  return lines.some((line, at) => {
    if (rangeLines.has(at) || !RANGE_LIKE.test(line)) return false;
    const followsClosing = lines[at - 1] === FENCE && !rangeLines.has(at - 2);
    return followsClosing || lines[at + 1] === firstOpening;
  });
}

/** Whether every replacement has its fence lines in pairs when all boundaries split. `bounds` begins before line 0. */
function splitsPair(lines: readonly string[], bounds: readonly number[]): boolean {
  return bounds.slice(0, -1).every((start, index) => {
    const pairs = new FencePairs();
    for (const line of contentOf(lines, start, bounds[index + 1])) pairs.readLine(line);
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
