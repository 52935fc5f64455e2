import { z } from "zod";
import { TIERS } from "../../certify/tiers.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import { CATALOGUE_VERDICTS, type CatalogueVerdict, catalogueVerdict, FAILURES } from "../catalogue-verdict.ts";
import type { AppResult } from "./certify-app.ts";

/** What a run says of an app: its verdict, or `error` when it has none. */
export const RUN_VERDICTS = [...CATALOGUE_VERDICTS, "error"] as const;
export type RunVerdict = (typeof RUN_VERDICTS)[number];

const appOfRun = z.object({
  name: z.string(),
  source: z.string(),
  revision: z.string().nullable(),
  digest: z.string().nullable(),
  verdict: z.enum(RUN_VERDICTS),
  /** Whether the verdict was there before this run. */
  known: z.boolean(),
  problems: catalogueVerdict.shape.problems,
  cost: catalogueVerdict.shape.cost.nullable(),
  /** When it was certified; null without a verdict. */
  certifiedAt: z.string().nullable(),
  attempts: catalogueVerdict.shape.attempts,
  /** Why there is no verdict. */
  failure: z.object({ kind: z.enum(FAILURES), message: z.string(), output: z.string() }).nullable(),
});
export type AppOfRun = z.infer<typeof appOfRun>;

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
  counts: z.record(z.enum(RUN_VERDICTS), z.int()),
  apps: z.array(appOfRun),
});
/** All verdicts of one run over a catalogue. */
export type CatalogueRun = z.infer<typeof catalogueRun>;

/** An app with its result, as a run shows it. */
export function appOfRunFrom(app: CatalogueApp, result: AppResult): AppOfRun {
  const { name, source, revision } = app;
  const none = { problems: [], cost: null, certifiedAt: null, attempts: [], failure: null, known: false };
  if (result.kind === "failed") {
    const { digest, failure } = result;
    return { name, source, revision, ...none, digest, verdict: "error", failure };
  }
  const { verdict, known } = result;
  return { name, source, revision, ...none, ...shownOf(verdict), known };
}

function shownOf({ key, verdict, problems, cost, startedAt, attempts }: CatalogueVerdict) {
  return { digest: key.digest, verdict, problems, cost, certifiedAt: startedAt, attempts };
}

/** How often each verdict occurs. */
export function countVerdicts(apps: readonly Pick<AppOfRun, "verdict">[]): Record<RunVerdict, number> {
  const count = (wanted: RunVerdict) => apps.filter(({ verdict }) => verdict === wanted).length;
  return Object.fromEntries(RUN_VERDICTS.map((each) => [each, count(each)])) as Record<RunVerdict, number>;
}
