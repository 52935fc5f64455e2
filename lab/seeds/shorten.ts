import fc from "fast-check";

/**
 * Leaves out the entries of a list that a failure does not need.
 * @param fails whether a shorter list still fails
 */
export async function shorten(all: readonly number[], fails: (kept: number[]) => Promise<boolean>): Promise<number[]> {
  const property = fc.asyncProperty(fc.subarray([...all]), async (kept) => !(await fails(kept)));
  const { counterexample } = await fc.check(property, { numRuns: 1, examples: [[[...all]]], endOnFailure: false });
  return counterexample?.[0] ?? [...all];
}
