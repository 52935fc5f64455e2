import type { AppRun } from "../evidence/app-run.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { failureIn, ownFailureOf } from "../requirements/failure-cause.ts";
import { type Need, needIn } from "../requirements/needs.ts";
import {
  type DynamicRequirement,
  type JudgeResult,
  levelForDialect,
  type Violation,
} from "../requirements/requirement.ts";
import { dialectOf } from "../runner/app/app-under-test.ts";
import { firstRun } from "../test-runs/first-run.ts";
import type { Judgement, Outcome } from "../verdict/verdict.ts";
import { findingsOf } from "./findings.ts";

/** A judgement, with the violations that it is based on. */
export interface JudgedRequirement {
  requirement: DynamicRequirement;
  judgement: Judgement;
  violations: readonly Violation[];
}

/**
 * Judges one requirement. A judge that throws is an error of the harness, and so is a test run that failed for reasons of
 * the harness, unless another one shows a violation. The evidence of such a test run does not count.
 */
export function judge(requirement: DynamicRequirement, evidence: Evidence): JudgedRequirement {
  const { app, harnessFailures } = evidence;
  const counts = (testRun: string | null | undefined) => testRun == null || !harnessFailures.has(testRun);
  const dialect = dialectOf(app);
  const level = levelForDialect(dialect, requirement);
  const failedTestRun = requirement.testRuns.find((testRun) => !counts(testRun));
  const result = (
    status: Outcome,
    fields: Partial<Judgement>,
    violations: readonly Violation[] = [],
  ): JudgedRequirement => {
    return { requirement, violations, judgement: { ...blank(requirement), ...fields, level, status } };
  };
  try {
    const counting = { ...evidence, appRuns: evidence.appRuns.filter(({ testRun }) => counts(testRun)) };
    const appRuns = appRunsFor(requirement, counting);
    const judged = requirement.judge({ ...evidence, appRuns });
    const counted = violationsOf(judged).filter(({ testRun }) => counts(testRun));
    const { others: violations, error } = requirement.countsErrorOfFirstRun
      ? { others: counted, error: null }
      : withoutErrorOfFirstRun(counted, counting);
    const fields = {
      observations: observationsOf(judged).filter(({ testRun }) => counts(testRun)),
      measured: measuredOf(judged),
    };
    const need = needOf(counted, { ...evidence, appRuns });
    if (need !== null) return result("inconclusive", { ...fields, reason: `needs: ${need.what}. ${need.next}.` });
    if (violations.length > 0) {
      const fix = level === requirement.level ? "" : ` ${requirement.advisoryInOtherDialects?.fix}`;
      const findings = findingsOf(violations, app).map((each) => ({ ...each, message: `${each.message}${fix}` }));
      return result(level === "MUST" ? "fail" : "warn", { ...fields, findings }, violations);
    }
    if (error !== null) return result("inconclusive", { ...fields, reason: error });
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

/**
 * The violations apart from those by the same exception, at the same place, as the one by which the app ends itself in its
 * first run: that is a violation of its own (LIFE-013) and says nothing about what was done to the app later.
 * @returns `error`, when no other one is left, why there is nothing to judge by
 */
function withoutErrorOfFirstRun(violations: readonly Violation[], { appRuns }: Evidence) {
  const [failure = null] = appRuns.flatMap((run) => (run.testRun === firstRun.id ? (ownFailureOf(run) ?? []) : []));
  const isSame = ({ testRun, errors = [] }: Violation) => testRun !== firstRun.id && failureIn(errors) === failure;
  const others = failure === null ? violations : violations.filter((violation) => !isSame(violation));
  const isAllTheSame = violations.length > 0 && others.length === 0;
  return { others, error: isAllTheSame ? "The app ended by the same error as in its first run (LIFE-013)." : null };
}

/**
 * What the app lacks, when it ended by itself in each run that violates the requirement, or in those that could have met it,
 * and said so; null otherwise.
 */
function needOf(violations: readonly Violation[], { appRuns, testRuns }: Evidence): Need | null {
  const shown = violations.map(({ testRun }) => appRuns.filter((run) => run.testRun === testRun && hasGivenUp(run)));
  const runs = violations.length === 0 ? [] : shown.some(({ length }) => length === 0) ? [] : shown.flat();
  return needIn(
    runs.flatMap(({ testRun, startedAt, exitedAt, stderrTail }) => {
      const log = testRuns.find(({ id }) => id === testRun)?.log ?? [];
      const printed = log.filter(({ t }) => t >= startedAt && t <= (exitedAt ?? t) + 1).map(({ text }) => text);
      return [...printed.slice(-LAST_LINES), ...stderrTail];
    }),
  );
}

/** Lines of an app's output before its end in which it may say what it lacks. */
const LAST_LINES = 60;

/** Whether the app ended by itself, and not with success. */
const hasGivenUp = ({ endRequestedAt, exit }: AppRun): boolean =>
  endRequestedAt === null && exit !== null && exit.code !== 0;

const violationsOf = (judged: JudgeResult) => (judged.kind === "violated" ? judged.violations : []);
const observationsOf = (judged: JudgeResult) => (judged.kind === "not-applicable" ? [] : judged.observations);
const measuredOf = (judged: JudgeResult) => (judged.kind === "not-applicable" ? [] : judged.measured);

/** The app runs that the judge of a requirement gets. */
export const appRunsFor = ({ judgesOtherTestRuns, testRuns }: DynamicRequirement, { appRuns }: Evidence): AppRun[] =>
  appRuns.filter(({ testRun }) => judgesOtherTestRuns || testRuns.includes(testRun));

/** A violated requirement that needs all test runs in which it was violated, to be judged again. */
export function withViolatedTestRuns({ requirement, violations }: JudgedRequirement): DynamicRequirement {
  const shown = violations.flatMap(({ testRun }) => testRun ?? []);
  return { ...requirement, testRuns: [...new Set([...requirement.testRuns, ...shown])] };
}

/** A requirement that was not judged, and the fact that kept it from being judged. */
export function notJudged(requirement: DynamicRequirement, reason: string): JudgedRequirement {
  return { requirement, violations: [], judgement: { ...blank(requirement), status: "inconclusive", reason } };
}

function blank({ id, level, section, title, testRuns }: DynamicRequirement): Omit<Judgement, "status"> {
  const empty = { findings: [], reason: null, observations: [], measured: [], attempts: [] };
  return { id, level, section, title, testRuns, ...empty };
}
