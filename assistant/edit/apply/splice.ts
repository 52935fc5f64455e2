/** One replacement in a text by position: the characters `[start, stop)` become `text`. Offsets in UTF-16 code units. */
export interface Splice {
  start: number;
  stop: number;
  text: string;
}

/**
 * The text with disjoint splices done, in ascending order. Everything between them is copied from the base by index,
 * which is the whole proof that nothing outside the spans changes.
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

/** The splices that change something. */
export function changing(base: string, splices: readonly Splice[]): Splice[] {
  return splices.filter(({ start, stop, text }) => base.slice(start, stop) !== text);
}
