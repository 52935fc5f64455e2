import { expect, test } from "vitest";
import type { Evidence } from "../evidence/evidence.ts";
import { DYNAMIC } from "../requirements/registry.ts";
import { GOOD_EVIDENCE } from "../requirements/testing/good-evidence.ts";
import { judge } from "./judge.ts";
import { JUDGED_BY_FIRST_RUN, requirementsOf, tierIds } from "./tiers.ts";

/** What is left of evidence when only the first run was made. */
const ofFirstRun = (evidence: Evidence): Evidence => ({
  ...evidence,
  appRuns: evidence.appRuns.filter(({ testRun }) => testRun === "first-run"),
  testRuns: evidence.testRuns.filter(({ id }) => id === "first-run"),
});

test("the short tier needs no other test run than the first one", () => {
  expect(requirementsOf("short").flatMap(({ testRuns }) => testRuns.filter((id) => id !== "first-run"))).toEqual([]);
  expect([requirementsOf("whole"), tierIds("whole")]).toEqual([DYNAMIC, null]);
});

test("every requirement that the short tier judges by the first run alone is registered, and has other test runs", () => {
  const others = DYNAMIC.filter(({ testRuns }) => testRuns.some((id) => id !== "first-run")).map(({ id }) => id);
  expect(JUDGED_BY_FIRST_RUN.filter((id) => !others.includes(id))).toEqual([]);
  expect(tierIds("short")).toEqual(expect.arrayContaining([...JUDGED_BY_FIRST_RUN]));
});

test("by the first run of a good app, every requirement of the short tier is judged and none is violated", () => {
  const judged = requirementsOf("short").map((requirement) => judge(requirement, ofFirstRun(GOOD_EVIDENCE)).judgement);
  const open = judged.filter(({ status }) => !["pass", "not-applicable"].includes(status));
  expect(open.map(({ id, status, reason }) => `${id} ${status}: ${reason}`)).toEqual([]);
});

test("a page app that sends no targets is judged by its first run, not by the random requests that the tier leaves out", () => {
  const { appRuns, ...evidence } = ofFirstRun(GOOD_EVIDENCE);
  const still = { ...evidence, testRuns: [], appRuns: appRuns.map((run) => ({ ...run, commands: [] })) };
  const [requirement] = requirementsOf("short").filter(({ id }) => id === "MOT-001");
  const { status, reason } = judge(requirement!, still).judgement;
  expect([status, reason]).toEqual(["not-applicable", expect.stringContaining("The app sent no targets")]);
  const whole = DYNAMIC.find(({ id }) => id === "MOT-001");
  expect(judge(whole!, still).judgement.status).toBe("inconclusive");
});

test("an app that ends by itself has nothing to stop in the short tier", () => {
  const { appRuns, ...evidence } = ofFirstRun(GOOD_EVIDENCE);
  const ended = { endCause: "by-itself", endRequestedAt: null, exit: { code: 0, signal: null } } as const;
  const brief = { ...evidence, appRuns: appRuns.map((run) => ({ ...run, ...ended })) };
  const [requirement] = requirementsOf("short").filter(({ id }) => id === "LIFE-003");
  expect(judge(requirement!, brief).judgement.status).toBe("not-applicable");
});

test("an app that is killed after its stop in the first run violates LIFE-003 in the short tier", () => {
  const { appRuns, ...evidence } = ofFirstRun(GOOD_EVIDENCE);
  const killed = { ...evidence, appRuns: appRuns.map((run) => ({ ...run, forceStopped: true })) };
  const [requirement] = requirementsOf("short").filter(({ id }) => id === "LIFE-003");
  expect(requirement && judge(requirement, killed).judgement.status).toBe("fail");
});
