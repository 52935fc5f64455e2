/**
 * For each line of a text, how many lines from it on occur elsewhere in the text, too: the longest common prefix with its
 * neighbours in a suffix array, which is sorted by prefix doubling. Takes about n log² n steps, whatever repeats.
 */
export function longestRepeats(lines: readonly string[]): Int32Array {
  const count = lines.length;
  const { order, rank } = sortSuffixes(lines);
  const repeats = new Int32Array(count);
  // Kasai's algorithm: from one line to the next the common prefix loses at most one line.
  let common = 0;
  for (let at = 0; at < count; at += 1) {
    const place = rank[at] as number;
    if (place === 0) {
      common = 0;
      continue;
    }
    const other = order[place - 1] as number;
    while (at + common < count && other + common < count && lines[at + common] === lines[other + common]) common += 1;
    repeats[at] = Math.max(repeats[at] as number, common);
    repeats[other] = Math.max(repeats[other] as number, common);
    common = Math.max(0, common - 1);
  }
  return repeats;
}

/** The places of the suffixes in their order, and the place of each in it. */
function sortSuffixes(lines: readonly string[]): { order: Int32Array; rank: Int32Array } {
  const count = lines.length;
  const numbers = new Map([...new Set(lines)].map((line, at) => [line, at]));
  let rank = Int32Array.from(lines, (line) => numbers.get(line) as number);
  const order = Int32Array.from(lines, (_, at) => at);
  for (let size = 1; ; size *= 2) {
    const current = rank;
    const second = (at: number) => (at + size < count ? (current[at + size] as number) + 1 : 0);
    const key = Float64Array.from(current, (first, at) => first * (count + 1) + second(at));
    order.sort((x, y) => (key[x] as number) - (key[y] as number));
    const next = new Int32Array(count);
    for (let at = 1; at < count; at += 1) {
      const [one, other] = [order[at] as number, order[at - 1] as number];
      next[one] = (next[other] as number) + (key[one] === key[other] ? 0 : 1);
    }
    rank = next;
    if (count === 0 || rank[order[count - 1] as number] === count - 1) return { order, rank };
  }
}
