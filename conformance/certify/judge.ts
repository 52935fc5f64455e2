import type { Status } from "../../assistant/check/check-app.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { DynamicRequirement, Observed } from "../requirements/requirement.ts";
import type { Judgement } from "../verdict/verdict.ts";
import { findingsOf } from "./findings.ts";

/** A judgement with what it rests on. */
export interface Judged {
  requirement: DynamicRequirement;
  judgement: Judgement;
  observed: readonly Observed[];
}

/**
 * Judges one requirement. A check that throws, and a scene that broke, are errors of the harness: nothing that was seen
 * in such a scene counts.
 */
export function judge(requirement: DynamicRequirement, evidence: Evidence): Judged {
  const { app, broken } = evidence;
  const brokenScene = requirement.scenes.find((scene) => broken.has(scene));
  try {
    const runs = evidence.runs.filter(({ scene }) => requirement.scenes.includes(scene) && !broken.has(scene));
    const opinion = requirement.judge({ ...evidence, runs });
    const seen = "skip" in opinion ? [] : opinion.observed;
    const observed = seen.filter(({ scene }) => scene === undefined || !broken.has(scene));
    const findings = findingsOf(observed, app.module);
    const measured = "skip" in opinion ? [] : (opinion.measured ?? []);
    const base = { ...blank(requirement), findings, measured };
    const status = (status: Status, reason: string | null) => ({
      requirement,
      observed,
      judgement: { ...base, status, reason },
    });
    if (observed.length > 0) return status(requirement.level === "MUST" ? "fail" : "warn", null);
    if (brokenScene !== undefined) return status("error", `${brokenScene}: ${broken.get(brokenScene)}`);
    return "skip" in opinion ? status("skip", opinion.skip) : status("pass", null);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { requirement, observed: [], judgement: { ...blank(requirement), status: "error", reason } };
  }
}

/** A requirement that could not come to its turn, and why. */
export function skipped(requirement: DynamicRequirement, reason: string): Judged {
  return { requirement, observed: [], judgement: { ...blank(requirement), status: "skip", reason } };
}

function blank({ id, level, section, title, scenes }: DynamicRequirement): Omit<Judgement, "status"> {
  return { id, level, section, title, findings: [], reason: null, scenes, measured: [], waiver: null };
}
