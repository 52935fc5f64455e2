import { expect, test } from "vitest";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import { GOOD_EVIDENCE, goodRun } from "../requirements/testing/good-evidence.ts";
import { ViolationsSoFar } from "./violations-so-far.ts";

/** A requirement that is violated by app runs with an exit code, and the test runs that its judge was shown. */
function requirement(id: string, changes: Partial<DynamicRequirement>) {
  const shown: string[][] = [];
  const judge: DynamicRequirement["judge"] = ({ appRuns }) => {
    shown.push(appRuns.map(({ testRun }) => testRun));
    const failed = appRuns.find(({ exit }) => exit?.code !== 0);
    return failed === undefined
      ? { kind: "inconclusive", fact: "no app run failed", observations: [], measured: [] }
      : { kind: "violated", violations: [{ message: "", testRun: failed.testRun }], observations: [], measured: [] };
  };
  const whole: DynamicRequirement = {
    id,
    level: "MUST",
    section: "3",
    title: "",
    mutants: [],
    testRuns: [],
    judge,
    ...changes,
  };
  return { whole, shown };
}

const evidenceOf = (...testRuns: string[]) => ({
  ...GOOD_EVIDENCE,
  appRuns: testRuns.map((testRun) => goodRun(testRun, testRun === "bad" ? { exit: { code: 1, signal: null } } : {})),
});

test("a requirement is judged after its own test runs alone, by all of them", () => {
  const { whole, shown } = requirement("LIFE-901", { testRuns: ["one", "bad"] });
  const soFar = new ViolationsSoFar([whole]);
  expect(soFar.judgeTestRun("one", evidenceOf("one"))).toEqual([]);
  expect(soFar.judgeTestRun("other", evidenceOf("one", "other"))).toEqual([]);
  const violated = soFar.judgeTestRun("bad", evidenceOf("one", "other", "bad"));
  expect(violated.map((each) => [each.requirement.id, each.judgement.status])).toEqual([["LIFE-901", "fail"]]);
  expect(shown).toEqual([["one"], ["one", "bad"]]);
});

test("a requirement of all test runs is judged after each, by that one, and stays violated", () => {
  const { whole, shown } = requirement("MOT-901", { testRuns: ["one"], judgesOtherTestRuns: true });
  const soFar = new ViolationsSoFar([whole]);
  expect(soFar.judgeTestRun("one", evidenceOf("one"))).toEqual([]);
  expect(soFar.judgeTestRun("bad", evidenceOf("one", "bad"))).toHaveLength(1);
  expect(soFar.judgeTestRun("other", evidenceOf("one", "bad", "other"))).toHaveLength(1);
  expect(shown).toEqual([["one"], ["bad"]]);
});

test("a requirement of the installation is judged once", () => {
  const { whole, shown } = requirement("PKG-901", {});
  const soFar = new ViolationsSoFar([whole]);
  for (const testRun of ["one", "other"]) soFar.judgeTestRun(testRun, evidenceOf("one", "other"));
  expect(shown).toHaveLength(1);
});
