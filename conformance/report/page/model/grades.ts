import type { Judgement, Verdict } from "../../../verdict/verdict.ts";

export type Status = Judgement["status"];

export const STATUSES: readonly Status[] = ["fail", "error", "warn", "skip", "pass"];

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  pass: "Passed",
  fail: "Failed",
  warn: "Warning",
  skip: "Not told",
  error: "Harness error",
};

/** What the prefixes of the ids stand for, in the order of the report. */
const GROUPS: Readonly<Record<string, string>> = {
  PKG: "Package",
  LIFE: "Life cycle",
  MOT: "Motion",
  UI: "Web page of the app",
  RES: "Resilience",
};

export interface Group {
  prefix: string;
  title: string;
  results: readonly Judgement[];
}

/** The judgements by the prefix of their ids; prefixes that this report does not know come last, under their own name. */
export function groupsOf(results: readonly Judgement[]): Group[] {
  const prefixOf = ({ id }: Judgement) => id.replace(/-.*/, "");
  const prefixes = new Set([...Object.keys(GROUPS), ...results.map(prefixOf)]);
  return [...prefixes]
    .map((prefix) => ({
      prefix,
      title: GROUPS[prefix] ?? prefix,
      results: results.filter((each) => prefixOf(each) === prefix),
    }))
    .filter((group) => group.results.length > 0);
}

/** Requirements on how an app ends, and what it leaves behind; the others are on what it does. */
const ON_STOPPING = new Set(
  "LIFE-003 LIFE-004 LIFE-005 LIFE-006 LIFE-007 LIFE-009 LIFE-011 MOT-003 MOT-004 UI-002 RES-002".split(" "),
);

export interface Grade {
  status: Status;
  must: { met: number; of: number };
  should: { met: number; of: number };
}

/** Function and stopping apart: an app may do everything right until it is told to stop. */
export function gradesOf({ results }: Pick<Verdict, "results">): { doing: Grade; stopping: Grade } {
  return {
    doing: gradeOf(results.filter(({ id }) => !ON_STOPPING.has(id))),
    stopping: gradeOf(results.filter(({ id }) => ON_STOPPING.has(id))),
  };
}

/** The worst that was found; what could not be told counts for nothing. */
function gradeOf(results: readonly Judgement[]): Grade {
  const met = (level: Judgement["level"]) => {
    const told = results.filter((each) => each.level === level && each.status !== "skip");
    return { met: told.filter(({ status }) => status === "pass").length, of: told.length };
  };
  const worst = (["fail", "error", "warn", "pass"] as const).find((one) =>
    results.some(({ status }) => status === one),
  );
  return { status: worst ?? "skip", must: met("MUST"), should: met("SHOULD") };
}
