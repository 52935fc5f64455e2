import { expect, test } from "vitest";
import { TOO_BUSY } from "../runner/host.ts";
import { judgeMutant, problemWithMutant } from "./mutants.ts";
import { ONE_PER_REQUIREMENT } from "./one-per-requirement.ts";

/** For two certifications beside other programs of the machine. */
const TIMEOUT_MS = 900_000;

test.concurrent.each(ONE_PER_REQUIREMENT)(
  "%s fails its requirement and no other one",
  async (name) => {
    const problem = problemWithMutant(name, await judgeMutant(name));
    // Where the machine was too busy, nothing was judged: one test run at a time needs less of it.
    const isJudged = problem?.includes(TOO_BUSY) !== true;
    expect(isJudged ? problem : problemWithMutant(name, await judgeMutant(name, { jobs: 1 }))).toBeNull();
  },
  TIMEOUT_MS,
);
