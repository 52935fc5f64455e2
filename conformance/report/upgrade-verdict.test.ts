import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { readVerdict, upgradeVerdict } from "./read-verdict.ts";

/** A file of format version 1 with one MUST that passed, and one with another status. */
function version1(status: "skip" | "fail", verdict: "conformant" | "not-conformant") {
  const {
    formatVersion: _,
    dirHash,
    environment,
    isolation,
    testRuns,
    results,
    ...same
  } = exampleVerdict({
    "LIFE-001": "pass",
    "UI-001": "pass",
  });
  const [first, second] = results.map(({ testRuns: scenes, observations, attempts, ...result }) => {
    return { ...result, scenes };
  });
  const counts = { pass: 1, fail: 0, warn: 0, skip: 0, error: 0, [status]: 1 };
  return { ...same, verdict, counts, results: [first, { ...second, status }], scenes: testRuns };
}

test("a skipped MUST of a version 1 file is inconclusive, and so is the verdict", () => {
  const upgraded = readVerdict(JSON.stringify(version1("skip", "conformant")), "verdict.json");
  expect(upgraded.results.map(({ status }) => status)).toEqual(["pass", "inconclusive"]);
  expect(upgraded).toMatchObject({ verdict: "inconclusive", counts: { pass: 1, inconclusive: 1 } });
  expect(upgraded.isolation).toEqual({
    sandbox: "none",
    network: "none",
    reason: "a verdict of format version 1 does not say it",
  });
});

test("a failure of a version 1 file stays one", () => {
  expect(readVerdict(JSON.stringify(version1("fail", "not-conformant")), "verdict.json").verdict).toBe(
    "not-conformant",
  );
});

test("a stale waiver of a version 1 file keeps the verdict from being conformant", () => {
  const waiver = { requirement: "UI-001", reason: "soon", owner: "Ada", expires: "2020-01-01", why: "expired" };
  const file = { ...version1("skip", "not-conformant"), staleWaivers: [waiver] };
  expect(readVerdict(JSON.stringify(file), "verdict.json").verdict).toBe("not-conformant");
});

test("a verdict of version 2 is returned as it is", () => {
  const verdict = exampleVerdict({ "LIFE-001": "pass" });
  expect(upgradeVerdict(verdict)).toBe(verdict);
});
