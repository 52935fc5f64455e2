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

/** Two lists of lines as numbers, equal for equal lines. */
interface Numbered {
  a: Int32Array;
  b: Int32Array;
  /** The places in `b` of each line, in order, without frequent lines. */
  places: readonly (readonly number[])[];
  /** For each line of `b` the length of the match that ends there; all zero between two searches. */
  lengths: Int32Array;
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const numbered = numberLines(a, b);
  const pending: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  const blocks: Block[] = [];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [aLow, aHigh, bLow, bHigh] = range;
    const best = longestMatch(numbered, range);
    if (best.size === 0) continue;
    blocks.push(best);
    if (aLow < best.a && bLow < best.b) pending.push([aLow, best.a, bLow, best.b]);
    if (best.a + best.size < aHigh && best.b + best.size < bHigh) {
      pending.push([best.a + best.size, aHigh, best.b + best.size, bHigh]);
    }
  }
  return blocks.sort((x, y) => x.a - y.a);
}

function numberLines(a: readonly string[], b: readonly string[]): Numbered {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  const [first, second] = [Int32Array.from(a, numberOf), Int32Array.from(b, numberOf)];
  const places = Array.from(numbers, (): number[] => []);
  for (const [at, number] of second.entries()) places[number]?.push(at);
  const limit = b.length < JUNK_FROM ? b.length : Math.floor(b.length / 100) + 1;
  const kept = places.map((each) => (each.length > limit ? [] : each));
  return { a: first, b: second, places: kept, lengths: new Int32Array(b.length) };
}

/** The first of the longest matches inside a range, extended over frequent lines on both sides. */
function longestMatch(
  { a, b, places, lengths }: Numbered,
  [aLow, aHigh, bLow, bHigh]: [number, number, number, number],
): Block {
  const best: Block = { a: aLow, b: bLow, size: 0 };
  const clear = (number: number) => {
    const list = places[number] as readonly number[];
    for (let at = countBelow(list, bHigh) - 1; at >= 0 && (list[at] as number) >= bLow; at -= 1)
      lengths[list[at] as number] = 0;
  };
  for (let i = aLow; i < aHigh; i += 1) {
    const here = places[a[i] as number] as readonly number[];
    let [rowSize, rowPlace] = [0, 0];
    // From the end, so that the lengths before are still those of the line before.
    for (let at = countBelow(here, bHigh) - 1; at >= 0 && (here[at] as number) >= bLow; at -= 1) {
      const j = here[at] as number;
      const size = (j > bLow ? (lengths[j - 1] as number) : 0) + 1;
      lengths[j] = size;
      if (size >= rowSize) [rowSize, rowPlace] = [size, j];
    }
    if (rowSize > best.size) Object.assign(best, { a: i - rowSize + 1, b: rowPlace - rowSize + 1, size: rowSize });
    if (i > aLow && a[i - 1] !== a[i]) clear(a[i - 1] as number);
  }
  if (aHigh > aLow) clear(a[aHigh - 1] as number);
  while (best.a > aLow && best.b > bLow && a[best.a - 1] === b[best.b - 1]) {
    Object.assign(best, { a: best.a - 1, b: best.b - 1, size: best.size + 1 });
  }
  while (best.a + best.size < aHigh && best.b + best.size < bHigh && a[best.a + best.size] === b[best.b + best.size]) {
    best.size += 1;
  }
  return best;
}

/** How many numbers of a sorted list are below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
