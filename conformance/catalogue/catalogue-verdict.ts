import { z } from "zod";
import { TIERS } from "../certify/tiers.ts";
import { problem } from "../child-process/problem.ts";

const verdictKey = z.object({
  /** Digest of the app's files. */
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  /** Version of the suite. */
  suite: z.string(),
  tier: z.enum(TIERS),
});
/** What a verdict is about. There is exactly one verdict for a key. */
export type VerdictKey = z.infer<typeof verdictKey>;

/** The key as a file name and as the id of a job. */
export const keyText = ({ digest, suite, tier }: VerdictKey): string =>
  [digest.replace(/^sha256:/, ""), suite, tier].map((part) => part.replace(/[^\w.+]/g, "_")).join("-");

export const CATALOGUE_VERDICTS = ["conformant", "not-conformant", "inconclusive"] as const;

export const catalogueVerdict = z.object({
  format: z.literal("robot-catalogue-verdict"),
  formatVersion: z.literal(1),
  key: verdictKey,
  verdict: z.enum(CATALOGUE_VERDICTS),
  /** Name of the app as its files say; null when they do not. */
  app: z.string().nullable(),
  problems: z.array(problem),
  /** Ids of the requirements of its tier that were not judged, for example because the app was not run. */
  notJudged: z.array(z.string()).default([]),
  seed: z.number(),
  startedAt: z.string(),
  cost: z.object({
    /** Seconds from start to end of the certification. */
    seconds: z.number(),
    /** Processor time of all its processes, seconds. */
    cpuSeconds: z.number(),
    /** The most resident memory of all its processes together, bytes. */
    memoryBytes: z.number(),
    /** Of the stored evidence, bytes. */
    diskBytes: z.number(),
  }),
});
/** The one verdict about a version of an app, as the store keeps it. */
export type CatalogueVerdict = z.infer<typeof catalogueVerdict>;
