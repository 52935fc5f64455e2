/** Time for what a scenario states no time for; generous, because other programs may use the processor meanwhile. */
export const DEADLINE_MS = 60_000;
