/**
 * The places of lines in a file, counted from 0, overlapping ones included. Knuth-Morris-Pratt: the time is linear in
 * the file even when the search text repeats itself.
 */
export function findLines(search: readonly string[], file: readonly string[]): number[] {
  const fallback = new Int32Array(search.length + 1);
  fallback[0] = -1;
  for (let at = 0; at < search.length; at += 1) {
    let size = fallback[at] as number;
    while (size >= 0 && search[size] !== search[at]) size = fallback[size] as number;
    fallback[at + 1] = size + 1;
  }
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < file.length; at += 1) {
    while (matched >= 0 && search[matched] !== file[at]) matched = fallback[matched] as number;
    matched += 1;
    if (matched < search.length) continue;
    places.push(at + 1 - search.length);
    matched = fallback[matched] as number;
  }
  return places;
}

/** The places of searches in a file, which is read once for all of them. */
export function lineFinder(file: readonly string[]): (search: readonly string[]) => number[] {
  const places = new Map<string, number[]>();
  for (const [at, line] of file.entries()) {
    const list = places.get(line);
    if (list === undefined) places.set(line, [at]);
    else list.push(at);
  }
  return (search) => {
    let rarest = { at: 0, list: places.get(search[0] ?? "") ?? [] };
    for (const [at, line] of search.entries()) {
      const list = places.get(line) ?? [];
      if (list.length < rarest.list.length) rarest = { at, list };
    }
    if (rarest.list.length * search.length > file.length) return findLines(search, file);
    const starts = rarest.list.map((place) => place - rarest.at);
    return starts.filter((start) => search.every((line, offset) => file[start + offset] === line));
  };
}

/** Lines that occur more often in the search, or in the file, say little about the place, and there may be many. */
const MAX_VOTES = 20;

/**
 * The line of the file, from 1, near which most search lines occur, ignoring indentation. A hint, never a match. When every
 * line is frequent, the first place with one of them.
 */
export function nearestLines(search: readonly string[], file: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  search.forEach((line, at) => {
    const text = line.trim();
    const list = places.get(text) ?? [];
    if (text !== "" && list.length < MAX_VOTES) places.set(text, [...list, at]);
  });
  const counts = new Map<string, number>();
  const isRare = (line: string) => {
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    return count <= MAX_VOTES;
  };
  const votes = new Map<number, number>();
  for (const [at, line] of file.entries()) {
    const text = line.trim();
    for (const offset of isRare(text) ? (places.get(text) ?? []) : []) {
      const start = Math.max(0, at - offset);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  for (const [start, count] of votes) if (best === undefined || count > (votes.get(best) ?? 0)) best = start;
  return best === undefined ? undefined : best + 1;
}
