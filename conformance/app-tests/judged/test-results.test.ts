import { expect, test } from "vitest";
import { TestResults } from "./test-results.ts";

function resultsOf(...lines: unknown[]): TestResults {
  const results = new TestResults();
  for (const line of lines) results.add(typeof line === "string" ? line : JSON.stringify(line));
  return results;
}

test("counts each test once: a failure stays, also when the test passed before or passes later", () => {
  const { counts } = resultsOf(
    { test: "a", outcome: "passed" },
    { test: "a", outcome: "failed", message: "in its clean-up" },
    { test: "a", outcome: "passed" },
    { test: "b", outcome: "skipped" },
    { test: "c", outcome: "passed" },
  );
  const failures = [{ test: "a", message: "in its clean-up" }];
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1, failures });
});

test("knows the test that began last, and whether all have ended", () => {
  const results = resultsOf({ begins: "a" }, { begins: "b" });
  expect([results.last, results.hasEnded]).toEqual(["b", false]);
  expect(resultsOf({ ended: "all" }).hasEnded).toBe(true);
});

test("ignores what is no report", () => {
  const { counts } = resultsOf(
    "{",
    "null",
    { test: 1, outcome: "failed" },
    { test: "a", outcome: "good" },
    "x".repeat(9000),
  );
  expect(counts).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [] });
});

test("keeps 20 failures and 10,000 tests of any number that is reported", () => {
  const lines = Array.from({ length: 10_100 }, (_, at) => ({ test: `test_${at}`, outcome: "failed" }));
  const { counts } = resultsOf(...lines);
  expect([counts.failed, counts.failures.length]).toEqual([10_000, 20]);
});
