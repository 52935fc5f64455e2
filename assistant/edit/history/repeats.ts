/**
 * For each line of a text, how many lines from it on are found again elsewhere, overlapping or not. From a suffix array
 * by prefix doubling and Kasai's neighbour lengths, in O(n log^2 n): a text that repeats itself is no trap.
 */
export function longestRepeats(lines: readonly string[]): Uint32Array {
  const order = suffixOrder(lines);
  const place = new Uint32Array(lines.length);
  order.forEach((start, rank) => {
    place[start] = rank;
  });
  const repeats = new Uint32Array(lines.length);
  let shared = 0;
  for (let start = 0; start < lines.length; start += 1) {
    const other = order[(place[start] as number) - 1];
    if (other === undefined) {
      shared = 0;
      continue;
    }
    while (
      start + shared < lines.length &&
      other + shared < lines.length &&
      lines[start + shared] === lines[other + shared]
    ) {
      shared += 1;
    }
    for (const at of [start, other]) repeats[at] = Math.max(repeats[at] as number, shared);
    shared = Math.max(0, shared - 1);
  }
  return repeats;
}

/** The starts of all suffixes in an order that puts those with most lines in common side by side. */
function suffixOrder(lines: readonly string[]): number[] {
  const names = new Map<string, number>();
  for (const line of lines) if (!names.has(line)) names.set(line, names.size);
  let rank = lines.map((line) => names.get(line) as number);
  const order = lines.map((_, start) => start);
  for (let length = 1; ; length *= 2) {
    const [known, reach] = [rank, length];
    const beyond = (start: number) => known[start + reach] ?? -1;
    const compare = (a: number, b: number) => (known[a] as number) - (known[b] as number) || beyond(a) - beyond(b);
    order.sort(compare);
    const next = new Array<number>(lines.length).fill(0);
    for (let at = 1; at < order.length; at += 1) {
      const [before, start] = [order[at - 1] as number, order[at] as number];
      next[start] = (next[before] as number) + (compare(before, start) < 0 ? 1 : 0);
    }
    rank = next;
    if (order.length === 0 || rank[order.at(-1) as number] === order.length - 1) return order;
  }
}
