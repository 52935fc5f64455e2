import fc from "fast-check";

/** Runs of a property unless FC_RUNS says otherwise. */
export const RUNS = fc.readConfigureGlobal()?.numRuns ?? 500;
