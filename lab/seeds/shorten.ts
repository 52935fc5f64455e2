/**
 * Leaves out what is not needed for a failure: halves, quarters and so on of the list, down to single entries.
 * @param fails whether a shorter list still fails
 */
export async function shorten(all: readonly number[], fails: (kept: number[]) => Promise<boolean>): Promise<number[]> {
  let kept = [...all];
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < kept.length; ) {
      const without = kept.toSpliced(from, size);
      if (await fails(without)) kept = without;
      else from += size;
    }
  return kept;
}
