import type { Attempt, Judgement, TestRun } from "../verdict/verdict.ts";

/** A further attempt at a requirement, for the verdict. Its test runs carry the attempt's name. */
export const attemptOf = (name: string, judgement: Judgement): Attempt => ({
  name,
  status: judgement.status,
  findings: judgement.findings,
  reason: judgement.reason,
  observations: judgement.observations.map((each) => ({ ...each, testRun: each.testRun && idIn(name, each.testRun) })),
  testRuns: judgement.testRuns.map((id) => idIn(name, id)),
});

/** The test runs of an attempt, distinguished from those of the first one. */
export const renameTestRuns = (name: string, description: string, testRuns: readonly TestRun[]): TestRun[] =>
  testRuns.map((testRun) => ({ ...testRun, id: idIn(name, testRun.id), title: `${testRun.title} (${description})` }));

const idIn = (name: string, testRun: string): string => `${testRun}-${name}`;
