import { expect, test } from "vitest";
import { requirementsOf } from "../certify/tiers.ts";
import { DYNAMIC } from "../requirements/registry.ts";
import { idOf, judgeApp, judgeMutant, problemWithGoodApp, problemWithMutant } from "./mutants.ts";

/** A broken app for each family of requirements that are judged while apps run, each judged by one test run, another for each. */
const ONE_PER_FAMILY = [
  "PKG-010-writes-a-file",
  "LIFE-008-without-a-traceback",
  "MOT-002-jumps",
  "UI-004-trusts-the-number",
  "RES-006-stays-disconnected",
  "ENV-001-plants-a-pth",
] as const;

test("each family has a broken app", () => {
  const familyOf = (id: string): string => id.slice(0, id.indexOf("-"));
  const families = new Set(DYNAMIC.map(({ id }) => familyOf(id)));
  expect(ONE_PER_FAMILY.map((name) => familyOf(idOf(name)))).toEqual([...families]);
});

test("a good app meets every requirement of the short tier", async () => {
  expect(problemWithGoodApp(await judgeApp(requirementsOf("short"), "hello_robot"))).toBeNull();
});

test.concurrent.each(ONE_PER_FAMILY)("%s fails its requirement and no other one", async (name) => {
  expect(problemWithMutant(name, await judgeMutant(name))).toBeNull();
});
