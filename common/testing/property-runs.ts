import fc from "fast-check";

/** Runs of a property; FC_RUNS overrides it. */
export const PROPERTY_RUNS = fc.readConfigureGlobal()?.numRuns ?? 500;
