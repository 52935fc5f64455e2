import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { FIRST_BROWSER, FIRST_CERTIFICATIONS, FIRST_INTEGRATION } from "./first-tier.mjs";
import { planTests } from "./plan.mjs";

const FIRST = ["unit", "integration", "mutants", "browser"];
const REST = ["integration-all", "mutants-all", "browser-all"];

test.each([
  [[], "first", FIRST, ["features", "check", "sdk"], []],
  [["all"], "all", [...FIRST, ...REST], ["features", "check", "sdk"], []],
  [["unit", "check"], "all", ["unit"], ["check"], []],
  [["integration"], "all", ["integration", "integration-all"], [], []],
  [["lifecycle"], "all", [...FIRST, ...REST], ["features", "sdk"], ["lifecycle"]],
  [["features", "startup"], "all", [], ["features"], ["startup"]],
] as const)("npm test -- %j runs the tier %s", (args, tier, projects, others, patterns) => {
  expect(planTests(args)).toEqual({ tier, projects, others, patterns, options: [] });
});

test("options are handed on, and each suite runs in a shard", () => {
  const shards = ["--shard=1/2", "--shard=2/2"].map((shard) => planTests(["all", shard]));
  expect(shards.map(({ options }) => options)).toEqual([["--shard=1/2"], ["--shard=2/2"]]);
  expect(shards.map(({ others }) => others)).toEqual([["features", "check", "sdk"], ["features"]]);
});

test("each file of the first tier exists, and has a reason", () => {
  for (const [file, reason] of [...FIRST_INTEGRATION, ...FIRST_CERTIFICATIONS, ...FIRST_BROWSER]) {
    expect(existsSync(file), file).toBe(true);
    expect(reason).not.toBe("");
  }
});
