import { createHash } from "node:crypto";
import type { Tier } from "../../certify/tiers.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";

/** What a worker is asked to certify. */
export interface CertifyJob {
  app: CatalogueApp;
  /** Digest of the files that it is about; null for a space, whose revision says it. */
  digest: string | null;
  tier: Tier;
  /** Test runs of the app at a time. */
  jobs: number;
}

/** Name of the queue of a suite: a worker of another version would make other verdicts. */
export const queueName = (version: string): string => `robot-catalogue-${version}`;

/**
 * The id of a job: the same app, at the same revision, has one job, however often it is added.
 * @param revision commit of a space, or digest of a folder's files
 */
export function jobId({ source }: CatalogueApp, revision: string, tier: Tier, version: string): string {
  return createHash("sha256").update([source, revision, tier, version].join("\0")).digest("hex");
}

/** The lowest priority that BullMQ knows. */
export const LOWEST_PRIORITY = 2_000_000;

/** What is the same for all jobs. */
export const JOB_OPTIONS = {
  // Attempts at a job whose certification fails.
  attempts: 6,
  // Milliseconds before the second attempt; twice as long before each further one.
  backoff: { type: "exponential", delay: 2000 },
  removeOnComplete: true,
  // Seconds for which jobs that failed are kept for people to look at.
  removeOnFail: { age: 7 * 24 * 3600 },
  stackTraceLimit: 0,
} as const;
