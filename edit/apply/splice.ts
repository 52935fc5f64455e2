/** A replacement in a text: the characters `[start, stop)` become `text`. Offsets count UTF-16 code units. */
export interface Splice {
  start: number;
  stop: number;
  text: string;
}

/**
 * Applies disjoint splices in ascending order. Everything between them is copied from the base, so nothing outside of
 * them changes.
 */
export function spliceText(base: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, stop, text } of splices) {
    parts.push(base.slice(at, start), text);
    at = stop;
  }
  parts.push(base.slice(at));
  return parts.join("");
}
