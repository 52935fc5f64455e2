/**
 * Finds the changes between two lists of lines as Python's `difflib` does. Training data was made with difflib, so the
 * history in a prompt must show the same hunks: Ratcliff-Obershelp with difflib's junk heuristic, by which a line that
 * makes up more than 1 % of a newer text of 200 lines or more never starts a match.
 * Reference: https://docs.python.org/3/library/difflib.html#difflib.SequenceMatcher
 */

/** A change: lines `[aStart, aEnd)` of the first list became lines `[bStart, bEnd)` of the second; 0-based. */
export interface Hunk {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

interface Block {
  a: number;
  b: number;
  size: number;
}

/** From this many lines on, frequent lines are left out of the index. */
const JUNK_FROM = 200;

/** The hunks of `difflib.unified_diff(a, b, n=0)`, in order. */
export function diffLines(a: readonly string[], b: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (const block of [...matchingBlocks(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < block.a || j < block.b) hunks.push({ aStart: i, aEnd: block.a, bStart: j, bEnd: block.b });
    [i, j] = [block.a + block.size, block.b + block.size];
  }
  return hunks;
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const index = indexLines(b);
  const pending: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  const blocks: Block[] = [];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [aLow, aHigh, bLow, bHigh] = range;
    const best = longestMatch(a, b, index, range);
    if (best.size === 0) continue;
    blocks.push(best);
    if (aLow < best.a && bLow < best.b) pending.push([aLow, best.a, bLow, best.b]);
    if (best.a + best.size < aHigh && best.b + best.size < bHigh) {
      pending.push([best.a + best.size, aHigh, best.b + best.size, bHigh]);
    }
  }
  return blocks.sort((x, y) => x.a - y.a);
}

/** The places of each line, without frequent lines. */
function indexLines(lines: readonly string[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  lines.forEach((line, at) => {
    const places = index.get(line);
    if (places) places.push(at);
    else index.set(line, [at]);
  });
  if (lines.length >= JUNK_FROM) {
    const limit = Math.floor(lines.length / 100) + 1;
    for (const [line, places] of index) if (places.length > limit) index.delete(line);
  }
  return index;
}

/** The first of the longest matches inside a range, extended over frequent lines on both sides. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  index: Map<string, number[]>,
  [aLow, aHigh, bLow, bHigh]: [number, number, number, number],
): Block {
  const best: Block = { a: aLow, b: bLow, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i += 1) {
    const row = new Map<number, number>();
    for (const j of index.get(a[i] as string) ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      row.set(j, size);
      if (size > best.size) Object.assign(best, { a: i - size + 1, b: j - size + 1, size });
    }
    lengths = row;
  }
  while (best.a > aLow && best.b > bLow && a[best.a - 1] === b[best.b - 1]) {
    Object.assign(best, { a: best.a - 1, b: best.b - 1, size: best.size + 1 });
  }
  while (best.a + best.size < aHigh && best.b + best.size < bHigh && a[best.a + best.size] === b[best.b + best.size]) {
    best.size += 1;
  }
  return best;
}
