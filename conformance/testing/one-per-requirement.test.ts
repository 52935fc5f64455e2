import { expect, test } from "vitest";
import { DYNAMIC } from "../requirements/registry.ts";
import { idOf, MUTANTS } from "./mutants.ts";
import { ONE_PER_REQUIREMENT } from "./one-per-requirement.ts";

test("npm test judges a broken app for each requirement", () => {
  expect(ONE_PER_REQUIREMENT.map(idOf).sort()).toEqual(DYNAMIC.map(({ id }) => id).sort());
  expect(Object.keys(MUTANTS)).toEqual(expect.arrayContaining([...ONE_PER_REQUIREMENT]));
});
