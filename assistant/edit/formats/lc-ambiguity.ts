import { FENCE, openingLanguage } from "./fence.ts";

/** The line that says which lines of the file a block replaces. */
export const RANGE_LINE = /^(0|[1-9]\d*),(0|[1-9]\d*)$/;

/** What a model writes when it means a range line and gets it wrong. */
const RANGE_LIKE = /^\s*[-+]?\d+\s*[,;:-]\s*[-+]?\d+\s*:?\s*$/;

/** Fence lines inside a code block come in pairs; this follows them line by line. */
class FencePairs {
  open = false;
  see(line: string): void {
    if (this.open) this.open = line !== FENCE;
    else this.open = openingLanguage(line) !== undefined;
  }
}

/**
 * Whether splitting at every joint is the one reading of a locate-and-change answer. A reading counts when the fence
 * lines left inside its replacements come in pairs.
 *
 * Answers whose fences name no language have a second reading by that rule whenever they have two edits. They are
 * taken at their word when neither the file nor any replacement has a fence.
 */
export function isOnlyParse(lines: readonly string[], joints: readonly number[], fencesInFile: boolean): boolean {
  if (hasHalfJoint(lines, joints)) return false;
  if (joints.length === 0) return true;
  if (joints.some((joint, index) => joints[index + 1] === joint + 2)) return false;
  const bounds = [-1, ...joints, lines.length - 1];
  const clean = bounds.slice(0, -1).every((start, index) => {
    return lines.slice(start + 3, bounds[index + 1]).every((line) => openingLanguage(line) === undefined);
  });
  const unnamed = [-1, ...joints].every((joint) => lines[joint + 2] === FENCE);
  if (clean && unnamed) return !fencesInFile;
  return splitsPair(lines, bounds) && countReadings(lines, bounds) === 1;
}

/** A range line beside one fence, not between two: two edits of which a fence was lost would look so. */
function hasHalfJoint(lines: readonly string[], joints: readonly number[]): boolean {
  const headers = new Set([0, ...joints.map((joint) => joint + 1)]);
  return lines.some((line, at) => {
    if (headers.has(at) || !RANGE_LIKE.test(line)) return false;
    return (lines[at - 1] === FENCE && !headers.has(at - 2)) || lines[at + 1] === lines[1];
  });
}

/** Whether every replacement has its fence lines in pairs when all joints split. `bounds` begins before line 0. */
function splitsPair(lines: readonly string[], bounds: readonly number[]): boolean {
  return bounds.slice(0, -1).every((start, index) => {
    const pairs = new FencePairs();
    for (const line of lines.slice(start + 3, bounds[index + 1])) pairs.see(line);
    return !pairs.open;
  });
}

/** The number of ways to choose joints that leave all fences in pairs, counted up to 2. */
function countReadings(lines: readonly string[], bounds: readonly number[]): number {
  const ways = new Array<number>(bounds.length).fill(0);
  ways[bounds.length - 1] = 1;
  for (let from = bounds.length - 2; from >= 0; from -= 1) {
    const pairs = new FencePairs();
    let at = (bounds[from] as number) + 3;
    for (let to = from + 1; to < bounds.length; to += 1) {
      for (; at < (bounds[to] as number); at += 1) pairs.see(lines[at] as string);
      if (!pairs.open) ways[from] = Math.min(2, (ways[from] as number) + (ways[to] as number));
    }
  }
  return ways[0] as number;
}
