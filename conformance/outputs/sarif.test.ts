import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { OUTCOMES } from "../verdict/verdict.ts";
import { sarifOf } from "./sarif.ts";

test("each finding is a result at its place, with its rule", () => {
  const log = sarifOf(exampleVerdict({ "LIFE-001": "pass", "LIFE-003": "fail", "MOT-002": "warn" }), "my app");
  const [run] = log.runs;
  expect(log.version).toBe("2.1.0");
  expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual(["LIFE-001", "LIFE-003", "MOT-002"]);
  expect(run?.results?.map(({ ruleId, level, kind }) => [ruleId, level, kind])).toEqual([
    ["LIFE-003", "error", "fail"],
    ["MOT-002", "warning", "fail"],
  ]);
  expect(run?.results?.[0]?.locations?.[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: "my%20app/a.py" },
    region: { startLine: 1 },
  });
});

test("every requirement is a rule, and every result has its rule and a place, without which GitHub refuses the file", () => {
  const outcomes = fc.dictionary(fc.stringMatching(/^[A-Z]{2,4}-\d{3}$/), fc.constantFrom(...OUTCOMES));
  fc.assert(
    fc.property(outcomes, (given) => {
      const [run] = sarifOf(exampleVerdict(given), ".").runs;
      const rules = run?.tool.driver.rules ?? [];
      expect(rules.map(({ id }) => id)).toEqual(Object.keys(given));
      for (const { ruleId, ruleIndex = -1, kind, level, message, locations } of run?.results ?? []) {
        expect(rules[ruleIndex]?.id).toBe(ruleId);
        expect(kind).toBe("fail");
        expect(["error", "warning"]).toContain(level);
        expect(message.text).toMatch(/\S/);
        expect(locations?.[0]?.physicalLocation?.region?.startLine).toBeGreaterThan(0);
      }
      const notified = run?.invocations?.[0]?.toolExecutionNotifications?.map(({ descriptor }) => descriptor?.id) ?? [];
      const found = run?.results?.map(({ ruleId }) => ruleId) ?? [];
      const passed = Object.keys(given).filter((id) => given[id] === "pass");
      expect([...notified, ...found, ...passed].sort()).toEqual(Object.keys(given).sort());
    }),
    { numRuns: 50 },
  );
});
