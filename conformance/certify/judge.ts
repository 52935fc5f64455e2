import type { AppRun } from "../evidence/app-run.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { DynamicRequirement, JudgeResult, Violation } from "../requirements/requirement.ts";
import type { Judgement, Outcome } from "../verdict/verdict.ts";
import { findingsOf } from "./findings.ts";

/** A judgement, with the violations that it is based on. */
export interface Judged {
  requirement: DynamicRequirement;
  judgement: Judgement;
  violations: readonly Violation[];
}

/**
 * Judges one requirement. A judge that throws is an error of the harness, and so is a test run that failed for reasons of
 * the harness, unless another one shows a violation. The evidence of such a test run does not count.
 */
export function judge(requirement: DynamicRequirement, evidence: Evidence): Judged {
  const { app, harnessFailures } = evidence;
  const counts = (testRun: string | null | undefined) => testRun == null || !harnessFailures.has(testRun);
  const failedTestRun = requirement.testRuns.find((testRun) => !counts(testRun));
  const result = (status: Outcome, fields: Partial<Judgement>, violations: readonly Violation[] = []): Judged => {
    return { requirement, violations, judgement: { ...blank(requirement), ...fields, status } };
  };
  try {
    const appRuns = appRunsFor(requirement, evidence).filter(({ testRun }) => counts(testRun));
    const judged = requirement.judge({ ...evidence, appRuns });
    const violations = violationsOf(judged).filter(({ testRun }) => counts(testRun));
    const fields = {
      observations: observationsOf(judged).filter(({ testRun }) => counts(testRun)),
      measured: measuredOf(judged),
    };
    if (violations.length > 0) {
      const findings = findingsOf(violations, app);
      return result(requirement.level === "MUST" ? "fail" : "warn", { ...fields, findings }, violations);
    }
    if (failedTestRun !== undefined)
      return result("error", { ...fields, reason: `${failedTestRun}: ${harnessFailures.get(failedTestRun)}` });
    switch (judged.kind) {
      case "met":
        return result("pass", fields);
      case "not-applicable":
      case "inconclusive":
        return result(judged.kind, { ...fields, reason: judged.fact });
      case "violated":
        // Its violations are those of a test run that does not count.
        return result("inconclusive", { ...fields, reason: "No test run that counts shows it." });
    }
  } catch (error) {
    return result("error", { reason: error instanceof Error ? error.message : String(error) });
  }
}

const violationsOf = (judged: JudgeResult) => (judged.kind === "violated" ? judged.violations : []);
const observationsOf = (judged: JudgeResult) => (judged.kind === "not-applicable" ? [] : judged.observations);
const measuredOf = (judged: JudgeResult) => (judged.kind === "not-applicable" ? [] : judged.measured);

/** The app runs that the judge of a requirement gets. */
export const appRunsFor = ({ judgesOtherTestRuns, testRuns }: DynamicRequirement, { appRuns }: Evidence): AppRun[] =>
  appRuns.filter(({ testRun }) => judgesOtherTestRuns || testRuns.includes(testRun));

/** A violated requirement that needs all test runs in which it was violated, to be judged again. */
export function withViolatedTestRuns({ requirement, violations }: Judged): DynamicRequirement {
  const shown = violations.flatMap(({ testRun }) => testRun ?? []);
  return { ...requirement, testRuns: [...new Set([...requirement.testRuns, ...shown])] };
}

/** A requirement that was not judged, and the fact that kept it from being judged. */
export function notJudged(requirement: DynamicRequirement, reason: string): Judged {
  return { requirement, violations: [], judgement: { ...blank(requirement), status: "inconclusive", reason } };
}

function blank({ id, level, section, title, testRuns }: DynamicRequirement): Omit<Judgement, "status"> {
  const empty = { findings: [], reason: null, observations: [], measured: [], attempts: [], waiver: null };
  return { id, level, section, title, testRuns, ...empty };
}
