import { REQUIREMENTS } from "../../assistant/check/requirements.ts";
import { DYNAMIC } from "../requirements/registry.ts";
import { type DynamicRequirement, judgeByAspects } from "../requirements/requirement.ts";
import { firstRun } from "../test-runs/first-run.ts";

const ALL = [...REQUIREMENTS, ...DYNAMIC];

/** The ids of all requirements, static and dynamic. */
export const ALL_IDS: readonly string[] = ALL.map(({ id }) => id).sort();

/** The ids of those that a conformant app must meet. */
export const ALL_MUSTS: readonly string[] = ALL.filter(({ level }) => level === "MUST").map(({ id }) => id);

/** `whole`: all requirements. `short`: those on files, install and import, and what one start, run and stop shows. */
export const TIERS = ["short", "whole"] as const;
export type Tier = (typeof TIERS)[number];

/** Requirements that other test runs show as well; the short tier judges them by the first run alone. */
export const JUDGED_BY_FIRST_RUN = [
  "LIFE-003",
  "LIFE-006",
  "LIFE-007",
  "MOT-001",
  "MOT-003",
  "MOT-004",
  "UI-002",
  "RES-005",
];

const SHORT: readonly DynamicRequirement[] = DYNAMIC.flatMap((requirement) => {
  if (requirement.testRuns.every((id) => id === firstRun.id)) return [requirement];
  return JUDGED_BY_FIRST_RUN.includes(requirement.id) ? [byFirstRunAlone(requirement)] : [];
});

/** The requirements on a running app that a tier judges. */
export const requirementsOf = (tier: Tier): readonly DynamicRequirement[] => (tier === "short" ? SHORT : DYNAMIC);

/** The ids that a tier judges, sorted; null for all. */
export function tierIds(tier: Tier): readonly string[] | null {
  return tier === "whole" ? null : [...REQUIREMENTS, ...SHORT].map(({ id }) => id).sort();
}

/** The requirement judged by the first run alone: aspects that only other test runs show are left out. */
function byFirstRunAlone(requirement: DynamicRequirement): DynamicRequirement {
  return {
    ...requirement,
    title: `${requirement.title} (in the first run)`,
    testRuns: [firstRun.id],
    judge(evidence) {
      const judged = requirement.judge(evidence);
      if (judged.kind !== "inconclusive" || judged.aspects === undefined) return judged;
      const own = judged.aspects.filter(({ testRun = firstRun.id }) => testRun === firstRun.id);
      return judgeByAspects(own, judged.measured);
    },
  };
}
