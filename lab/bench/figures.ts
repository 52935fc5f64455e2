// Figures of one bench run: medians and ratios, printed immediately.

/** @param q 0 to 1 */
export function quantile(values: number[], q: number) {
  const order = values.toSorted((a, b) => a - b);
  return order[Math.min(order.length - 1, Math.floor(q * order.length))] ?? Number.NaN;
}

export const median = (values: number[]) => quantile(values, 0.5);

export const section = (title: string) => console.log(`\n${title}`);

let misses = 0;

/** Counts a target that was missed. */
export const countMiss = () => {
  misses += 1;
};

/** Number of figures that missed their targets so far. */
export const missCount = () => misses;

/**
 * Prints one line: what was measured, the figure, and whether the target is met (a bench only prints; a soak fails).
 */
export function figure(what: string, figure: string, target?: string, met?: boolean) {
  if (met === false) misses += 1;
  const verdict = target === undefined ? "" : `   target ${target}: ${met ? "met" : "MISSED"}`;
  console.log(`  ${what.padEnd(52)} ${figure}${verdict}`);
}
