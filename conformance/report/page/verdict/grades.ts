import type { Judgement, Outcome, Verdict } from "../../../verdict/verdict.ts";

/** Outcomes in the order of the report: the worst first. */
export const OUTCOMES = [
  "fail",
  "error",
  "inconclusive",
  "flaky",
  "warn",
  "not-applicable",
  "pass",
] as const satisfies readonly Outcome[];

export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  pass: "Passed",
  fail: "Failed",
  warn: "Warning",
  flaky: "Flaky",
  "not-applicable": "Not applicable",
  inconclusive: "Inconclusive",
  error: "Harness error",
};

/** The prefixes of the requirements' ids, in the order of the report. */
const GROUPS: Readonly<Record<string, string>> = {
  PKG: "Package",
  LIFE: "Life cycle",
  MOT: "Motion",
  UI: "Settings page",
  RES: "Resilience",
};

export interface RequirementGroup {
  prefix: string;
  title: string;
  results: readonly Judgement[];
}

/** Results by the prefix of their ids; unknown prefixes come last, with the prefix as their title. */
export function groupResults(results: readonly Judgement[]): RequirementGroup[] {
  const prefixOf = ({ id }: Judgement) => id.replace(/-.*/, "");
  const prefixes = new Set([...Object.keys(GROUPS), ...results.map(prefixOf)]);
  return [...prefixes]
    .map((prefix) => ({
      prefix,
      title: GROUPS[prefix] ?? prefix,
      results: results.filter((result) => prefixOf(result) === prefix),
    }))
    .filter((group) => group.results.length > 0);
}

/** Requirements about the end of an app and what it leaves behind; the others are about what it does. */
const ABOUT_STOPPING = new Set(
  "LIFE-003 LIFE-004 LIFE-005 LIFE-006 LIFE-007 LIFE-009 LIFE-011 MOT-003 MOT-004 UI-002 RES-002".split(" "),
);

export interface Grade {
  status: Outcome;
  must: { passed: number; of: number };
  should: { passed: number; of: number };
}

/** Function and stopping are graded separately: an app may work until it has to stop. */
export function gradesOf({ results }: Pick<Verdict, "results">): { functionality: Grade; stopping: Grade } {
  return {
    functionality: gradeOf(results.filter(({ id }) => !ABOUT_STOPPING.has(id))),
    stopping: gradeOf(results.filter(({ id }) => ABOUT_STOPPING.has(id))),
  };
}

/** The worst outcome counts; requirements that do not apply count for nothing. */
function gradeOf(results: readonly Judgement[]): Grade {
  const count = (level: Judgement["level"]) => {
    const judged = results.filter((result) => result.level === level && result.status !== "not-applicable");
    return { passed: judged.filter(({ status }) => status === "pass").length, of: judged.length };
  };
  const applicable = results.filter(({ status }) => status !== "not-applicable");
  const worst = OUTCOMES.find((outcome) => applicable.some(({ status }) => status === outcome));
  return { status: worst ?? "not-applicable", must: count("MUST"), should: count("SHOULD") };
}
