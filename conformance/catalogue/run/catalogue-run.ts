import { z } from "zod";
import { TIERS } from "../../certify/tiers.ts";
import { failure } from "../../child-process/failure.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import { CATALOGUE_VERDICTS, catalogueVerdict } from "../catalogue-verdict.ts";
import type { AppResult } from "./certify-app.ts";

/** What a run says of an app: its verdict, or `error` when it has none. */
export const APP_VERDICTS = [...CATALOGUE_VERDICTS, "error"] as const;
export type AppVerdict = (typeof APP_VERDICTS)[number];

const runEntry = z.object({
  name: z.string(),
  source: z.string(),
  revision: z.string().nullable(),
  digest: z.string().nullable(),
  verdict: z.enum(APP_VERDICTS),
  /** True when the verdict came from the store, not from this run. */
  known: z.boolean(),
  problems: catalogueVerdict.shape.problems,
  notJudged: catalogueVerdict.shape.notJudged,
  cost: catalogueVerdict.shape.cost.nullable(),
  /** When it was certified; null without a verdict. */
  certifiedAt: z.string().nullable(),
  /** Why there is no verdict. */
  failure: failure.nullable(),
});
export type RunEntry = z.infer<typeof runEntry>;

export const catalogueRun = z.object({
  format: z.literal("robot-catalogue-run"),
  formatVersion: z.literal(1),
  suite: z.string(),
  tier: z.enum(TIERS),
  /** As it was named on the command line. */
  catalogue: z.string(),
  startedAt: z.string(),
  /** Seconds. */
  duration: z.number(),
  counts: z.record(z.enum(APP_VERDICTS), z.int()),
  apps: z.array(runEntry),
});
/** All verdicts of one run over a catalogue. */
export type CatalogueRun = z.infer<typeof catalogueRun>;

/** An app with its result, as a run shows it. */
export function runEntryOf(app: CatalogueApp, result: AppResult): RunEntry {
  const { name, source, revision } = app;
  if (result.kind === "failed") {
    const { failure, digest } = result;
    const unjudged = { problems: [], notJudged: [], cost: null, certifiedAt: null };
    return { name, source, revision, ...unjudged, failure, known: false, digest, verdict: "error" };
  }
  const { problems, notJudged, cost, startedAt, key, verdict } = result.verdict;
  const judged = { problems, notJudged, cost, certifiedAt: startedAt };
  return { name, source, revision, ...judged, failure: null, known: result.known, digest: key.digest, verdict };
}

/** How often each verdict occurs. */
export function countVerdicts(apps: readonly Pick<RunEntry, "verdict">[]): Record<AppVerdict, number> {
  const count = (wanted: AppVerdict) => apps.filter(({ verdict }) => verdict === wanted).length;
  return Object.fromEntries(APP_VERDICTS.map((each) => [each, count(each)])) as Record<AppVerdict, number>;
}
