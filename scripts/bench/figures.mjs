// Figures of one bench run: medians and ratios, printed immediately.

/** @param {number[]} values */
export const sorted = (values) => [...values].sort((a, b) => a - b);

/** @param {number[]} values @param {number} q 0 to 1 */
export function quantile(values, q) {
  const order = sorted(values);
  return order[Math.min(order.length - 1, Math.floor(q * order.length))] ?? Number.NaN;
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);

/** @param {string} title */
export const section = (title) => console.log(`\n${title}`);

let misses = 0;

/** Counts a target that was missed. */
export const countMiss = () => {
  misses += 1;
};

/** Number of figures that missed their targets so far. */
export const missed = () => misses;

/**
 * Prints one line: what was measured, the figure, and whether the target is met (a bench only prints; a soak fails).
 * @param {string} what
 * @param {string} figure
 * @param {string} [target]
 * @param {boolean} [met]
 */
export function figure(what, figure, target, met) {
  if (met === false) misses += 1;
  const verdict = target === undefined ? "" : `   target ${target}: ${met ? "met" : "MISSED"}`;
  console.log(`  ${what.padEnd(52)} ${figure}${verdict}`);
}
