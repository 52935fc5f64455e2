import fc from "fast-check";

/** One seed for the whole run, printed by every failing property; replay with `FC_SEED=... npm test`. */
const seed = process.env.FC_SEED === undefined ? undefined : Number(process.env.FC_SEED);
const runs = process.env.FC_RUNS === undefined ? undefined : Number(process.env.FC_RUNS);
fc.configureGlobal({
  ...(seed === undefined ? {} : { seed }),
  ...(runs === undefined ? {} : { numRuns: runs }),
  // Finding the smallest failing case may take longer than a test has: it is searched for when a seed is replayed.
  endOnFailure: seed === undefined,
});
