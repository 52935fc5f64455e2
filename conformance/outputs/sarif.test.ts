import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleVerdict } from "../testing/sample-verdict.ts";
import { OUTCOMES } from "../verdict/verdict.ts";
import { sarifOf } from "./sarif.ts";

test("each finding is a result at its place, with its rule", () => {
  const log = sarifOf(sampleVerdict({ "LIFE-001": "pass", "LIFE-003": "fail", "MOT-002": "warn" }), "my app");
  const [run] = log.runs;
  expect(log.version).toBe("2.1.0");
  expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual(["LIFE-001", "LIFE-003", "MOT-002"]);
  expect(run?.results?.map(({ ruleId, level, kind }) => [ruleId, level, kind])).toEqual([
    ["LIFE-001", "none", "pass"],
    ["LIFE-003", "error", "fail"],
    ["MOT-002", "warning", "fail"],
  ]);
  expect(run?.results?.[1]?.locations?.[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: "my%20app/a.py" },
    region: { startLine: 1 },
  });
});

test("every result names its rule by index, and has a level only when it failed", () => {
  const outcomes = fc.dictionary(fc.stringMatching(/^[A-Z]{2,4}-\d{3}$/), fc.constantFrom(...OUTCOMES));
  fc.assert(
    fc.property(outcomes, (given) => {
      const [run] = sarifOf(sampleVerdict(given), ".").runs;
      const rules = run?.tool.driver.rules ?? [];
      for (const { ruleId, ruleIndex = -1, kind, level, message } of run?.results ?? []) {
        expect(rules[ruleIndex]?.id).toBe(ruleId);
        // The specification, 3.27.10: a result of another kind than fail has the level none.
        expect(kind === "fail").toBe(level !== "none");
        expect(message.text).toMatch(/\S/);
      }
    }),
    { numRuns: 50 },
  );
});
