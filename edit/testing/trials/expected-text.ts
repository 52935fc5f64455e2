/** Lines that replace the lines `[start, end)` of a file, counted from 0; an empty range inserts before line `start`. */
export interface Block {
  start: number;
  end: number;
  lines: string[];
}

/**
 * The text of a file after some blocks, computed line by line and independently of the program; undefined when the blocks
 * do not fit the file or overlap, so that they must be refused.
 */
export function expectedText(file: readonly string[], blocks: readonly Block[]): string | undefined {
  const owners = file.map((): Block[] => []);
  const inserted = [...file, ""].map((): Block[] => []);
  for (const block of blocks) {
    if (block.start < 0 || block.end > file.length || block.start > block.end) return undefined;
    if (block.start === block.end) inserted[block.start]?.push(block);
    for (let at = block.start; at < block.end; at += 1) owners[at]?.push(block);
  }
  const inside = (at: number) => owners[at]?.[0] !== undefined && owners[at]?.[0] === owners[at - 1]?.[0];
  if (owners.some((list) => list.length > 1)) return undefined;
  if (inserted.some((list, at) => list.length > 1 || (list.length === 1 && inside(at)))) return undefined;
  const out: string[] = [];
  for (let at = 0; at <= file.length; at += 1) {
    out.push(...(inserted[at]?.[0]?.lines ?? []));
    const owner = owners[at]?.[0];
    if (owner === undefined) out.push(...file.slice(at, at + 1));
    else if (owner.start === at && owner.lines.join("\n") !== "") out.push(...owner.lines);
  }
  return out.join("\n");
}
