import { expect, test } from "vitest";
import { judgeMutant, problemWithMutant } from "./mutants.ts";
import { ONE_PER_REQUIREMENT } from "./one-per-requirement.ts";

test.concurrent.each(ONE_PER_REQUIREMENT)("%s fails its requirement and no other one", async (name) => {
  expect(problemWithMutant(name, await judgeMutant(name))).toBeNull();
});
