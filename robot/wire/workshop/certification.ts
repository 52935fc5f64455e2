import { z } from "zod";
import { WorkshopFinding } from "./workshop.ts";

export const CertificationTier = z
  .enum(["short", "whole"])
  .describe("short: files, install, import, and one start, run and stop; whole: every requirement");
export type CertificationTier = z.infer<typeof CertificationTier>;

/** A requirement that the app violates, or that could not be judged. */
export const RequirementProblem = WorkshopFinding.extend({
  title: z.string(),
  status: z.enum(["fail", "warn", "flaky", "inconclusive", "error"]),
  file: z.string().nullable().describe("The file of its first finding"),
  replayable: z
    .boolean()
    .describe("Whether a test run shows it, which the report replays; false for what files alone show"),
});
export type RequirementProblem = z.infer<typeof RequirementProblem>;

/** A verdict about the app that is edited. */
export const WorkshopVerdict = z.object({
  tier: CertificationTier,
  verdict: z.enum(["conformant", "not-conformant", "inconclusive"]),
  problems: z.array(RequirementProblem),
  revision: z.string().describe("Of the app as it was judged, as `GET /api/workshop/files` has it"),
  seconds: z.number().describe("How long the certification took"),
});
export type WorkshopVerdict = z.infer<typeof WorkshopVerdict>;

/** The certification of the app that is edited. */
export const CertificationState = z.object({
  running: z
    .object({
      tier: CertificationTier,
      done: z.int().describe("Steps that are done"),
      planned: z.int(),
      violated: z.array(z.string()).describe("Ids of the requirements that are violated so far"),
      cancelling: z.boolean().describe("Whether it was cancelled; its processes are ending"),
    })
    .nullable(),
  verdict: WorkshopVerdict.nullable().describe("The last verdict, whose report is at /api/workshop/report"),
  problem: z.string().nullable().describe("Why the last certification gave no verdict"),
});
export type CertificationState = z.infer<typeof CertificationState>;

export const CertifyBody = z.object({ tier: CertificationTier });
