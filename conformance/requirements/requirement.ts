import type { Finding, Requirement } from "../../assistant/check/requirement.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Run } from "../evidence/run.ts";
import type { Measurement } from "../verdict/verdict.ts";

/** Something that is wrong, and where it shows. */
export interface Observed {
  message: string;
  scene?: string;
  /** Seconds from the scene's start. */
  t?: number;
  /** What the app printed when it went wrong; its traceback leads to the line. */
  errors?: readonly string[];
  /** Where it stands in the app, when that is known. */
  at?: { file: string; line: number };
}

/** What a requirement makes of the evidence; `skip` says why it cannot be told. */
export type Opinion = { observed: readonly Observed[]; measured?: readonly Measurement[] } | { skip: string };

/** A requirement that needs the app to run. Ids are stable: never renumbered, never used again. */
export interface DynamicRequirement extends Omit<Requirement, "check"> {
  /** Ids of the scenes that show it, of which alone it is given the runs; none when installing the app does. */
  scenes: readonly string[];
  judge(evidence: Evidence): Opinion;
}

/** Where a finding stands that no line of the app can be told for: in its main module. */
export const MAIN = (module: string): Pick<Finding, "file" | "line"> => ({
  file: `${module.replaceAll(".", "/")}.py`,
  line: null,
});

/** A duration for a sentence. */
export const seconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} s`;

/** How a process ended, for a sentence. */
export function endOf({ exit, forced, grace }: Run): string {
  if (forced) return `did not end within ${grace} s and had to be killed`;
  if (exit === null) return "never ended";
  return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
}

/** An app that was asked to end in the midst of its life, not one that had ended by itself before. */
export const wasAsked = ({ askedAt, endedAt }: Run): boolean =>
  askedAt !== null && (endedAt === null || endedAt >= askedAt);

/** Why nothing about a page can be told of an app without one. */
export const NO_PAGE = "The app has no settings page: custom_app_url is None.";
