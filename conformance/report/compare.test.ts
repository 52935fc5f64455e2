import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { OUTCOMES } from "../verdict/verdict.ts";
import { compareVerdicts, distributionOf, formatComparison } from "./compare.ts";

test("says what got better and worse, what is new and what is gone", () => {
  const before = exampleVerdict({ "LIFE-001": "fail", "LIFE-003": "pass", "RES-001": "warn", "UI-001": "pass" });
  const after = exampleVerdict({ "LIFE-001": "pass", "LIFE-003": "inconclusive", "RES-001": "warn", "UI-004": "fail" });
  const comparison = compareVerdicts(before, { ...after, version: "1.0.0" });
  expect(comparison.better.map(({ id }) => id)).toEqual(["LIFE-001"]);
  expect(comparison.worse.map(({ id }) => id)).toEqual(["LIFE-003"]);
  expect(comparison.appeared.map(({ id }) => id)).toEqual(["UI-004"]);
  expect(comparison.vanished.map(({ id }) => id)).toEqual(["UI-001"]);
  const text = formatComparison(comparison);
  expect(text).toContain("LIFE-003 Title of LIFE-003: pass → inconclusive");
  expect(text).toContain("suite: 0.0.0 → 1.0.0");
});

test("a verdict compared with itself shows no change; exchanged, better and worse are exchanged", () => {
  const outcomes = fc.dictionary(fc.constantFrom("A-1", "B-2", "C-3"), fc.constantFrom(...OUTCOMES));
  fc.assert(
    fc.property(outcomes, outcomes, (one, other) => {
      const [first, second] = [exampleVerdict(one), exampleVerdict(other)];
      expect(formatComparison(compareVerdicts(first, first))).toContain("No outcome changed.");
      const [there, back] = [compareVerdicts(first, second), compareVerdicts(second, first)];
      const ids = (changes: typeof there.better) => changes.map(({ id }) => id).sort();
      expect(ids(there.better)).toEqual(ids(back.worse));
      expect(ids(there.appeared)).toEqual(ids(back.vanished));
    }),
    { numRuns: 100 },
  );
});

test("a distribution has its median, its ninth decile and its longest time", () => {
  expect(distributionOf([])).toBeNull();
  expect(distributionOf([5, 1, 3])).toEqual({ count: 3, median: 3, p90: 5, longest: 5 });
});
