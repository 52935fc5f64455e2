import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../../common/machine/remove-tree.ts";
import type { Clock } from "../../../common/time/clock.ts";
import type { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { isAddress } from "../../../daemon/apps/hub/space-address.ts";
import type { Tier } from "../../certify/tiers.ts";
import {
  type CertificationResult,
  certifyInChildProcess,
  NO_COST,
} from "../../child-process/certify-in-child-process.ts";
import type { Failure } from "../../child-process/failure.ts";
import type { CertifyLimits } from "../../child-process/limits.ts";
import { EVIDENCE_FILE } from "../../child-process/messages.ts";
import { makeScratchFolder } from "../../child-process/scratch-folders.ts";
import { type CatalogueApp, type FetchedApp, fetchApp } from "../apps/catalogue-apps.ts";
import type { Attempt, CatalogueVerdict, VerdictKey } from "../catalogue-verdict.ts";
import type { StartedAttempt, VerdictStore } from "../store/verdict-store.ts";
import { shouldQuarantine } from "./quarantine.ts";

/** What a verdict says of an app that was not judged. */
const UNJUDGED = { app: null, problems: [], notJudged: [] };

/** What every certification of a run or a worker shares. */
export interface CertifyContext extends CertifyLimits {
  store: VerdictStore;
  hub: HubClient;
  /** Version of the suite. */
  version: string;
  tier: Tier;
  /** Test runs of one app at a time. */
  jobs: number;
  /** Folder with the clean Python environment, which must exist. */
  cache: string;
  /** Names this process in the notes about attempts. */
  worker: string;
  /** Id of the queue's job, whose attempts are made one after the other; null without a queue. */
  job: string | null;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  signal: AbortSignal;
  /** Waits until hub and package index may be used for another app. */
  waitForTurn(): Promise<void>;
}

/** What became of one app. */
export type AppResult =
  /** `known`: whether it was in the store before. */
  | { kind: "verdict"; verdict: CatalogueVerdict; known: boolean }
  | { kind: "failed"; digest: string | null; failure: Failure };

/**
 * Gives an app its one verdict: the one in the store, or a new one. May be called any number of times, in any number of
 * processes, and may be killed at any moment.
 * @throws the signal's reason; errors of the store; errors of Node when the scratch folder cannot be made or read
 */
export async function certifyApp(app: CatalogueApp, context: CertifyContext): Promise<AppResult> {
  const isRemote = isAddress(app.source);
  if (isRemote) await context.waitForTurn();
  const scratch = await makeScratchFolder();
  try {
    const fetched = await fetchWithin(app, scratch, context);
    if ("kind" in fetched) return { kind: "failed", digest: null, failure: fetched };
    // A space has waited for its turn before its download.
    return await certifyFolder(fetched, scratch, isRemote ? { ...context, waitForTurn: async () => {} } : context);
  } finally {
    // What cannot be removed changes no verdict; `removeOldScratchFolders` tries again.
    await removeTree(scratch).catch(() => {});
  }
}

/** Downloads an app within its deadline. @throws the signal's reason */
async function fetchWithin(
  app: CatalogueApp,
  scratch: string,
  { hub, deadline, signal }: CertifyContext,
): Promise<FetchedApp | Failure> {
  const late = AbortSignal.timeout(deadline * 1000);
  return fetchApp(app, hub, scratch, AbortSignal.any([signal, late])).catch((error: Error): Failure => {
    signal.throwIfAborted();
    const message = late.aborted ? `it was not downloaded within ${deadline} s` : error.message;
    return { kind: "fetch", message, output: "" };
  });
}

async function certifyFolder(
  { folder, digest }: FetchedApp,
  scratch: string,
  context: CertifyContext,
): Promise<AppResult> {
  const { store, tier, version, clock, job, deadline } = context;
  const key: VerdictKey = { digest, suite: version, tier };
  const known = await store.get(key);
  if (known !== null) return { kind: "verdict", verdict: known, known: true };
  const startedAt = timestamp(clock);
  const before = await store.attempts(key);
  const base = { format: "robot-catalogue-verdict", formatVersion: 1, key, startedAt, seed: seedOf(digest) } as const;
  const quarantine = async (): Promise<AppResult> => {
    const attempts = await store.attempts(key);
    return keep(
      { ...base, verdict: "quarantined", ...UNJUDGED, cost: { ...NO_COST, diskBytes: 0 }, attempts },
      {},
      context,
    );
  };
  const isQuarantined = (attempts: readonly Attempt[]) =>
    shouldQuarantine(attempts, { job, now: clock.unixTime(), deadline });
  if (isQuarantined(before)) return quarantine();
  await context.waitForTurn();
  const result = await withAttempt(key, context, async (attempt): Promise<AppResult> => {
    const certified = await certifyIn(scratch, folder, base.seed, context);
    if (certified.kind === "failure") {
      await attempt.fail(certified.failure);
      return { kind: "failed", digest, failure: certified.failure };
    }
    const evidence = await readFile(join(scratch, "out", EVIDENCE_FILE));
    const { kind: _, passed: _passed, seconds, cpuSeconds, memoryBytes, ...judged } = certified;
    const cost = { seconds, cpuSeconds, memoryBytes, diskBytes: evidence.length };
    const kept = await keep({ ...base, ...judged, cost, attempts: before }, { [EVIDENCE_FILE]: evidence }, context);
    // The process that kept the verdict removed the attempts, maybe before this one began.
    if (kept.known) await attempt.remove();
    return kept;
  });
  if (result.kind === "failed" && isQuarantined(await store.attempts(key))) return quarantine();
  return result;
}

/**
 * Notes an attempt in the store while an action runs. An attempt whose action throws is removed: left open, it would
 * count as lost with its worker, although a cancellation or an error of the store says nothing about the app.
 * @throws what the action throws; errors of the store
 */
async function withAttempt<Result>(
  key: VerdictKey,
  { store, worker, job, clock }: CertifyContext,
  action: (attempt: StartedAttempt) => Promise<Result>,
): Promise<Result> {
  const attempt = await store.beginAttempt(key, { worker, job, startedAt: timestamp(clock), failure: null });
  try {
    return await action(attempt);
  } catch (error) {
    // Where the store fails, the first error says more.
    await attempt.remove().catch(() => {});
    throw error;
  }
}

/** Keeps a verdict. Where another process was faster, its verdict is the one that counts. */
async function keep(
  verdict: CatalogueVerdict,
  evidence: Readonly<Record<string, Uint8Array>>,
  { store }: CertifyContext,
): Promise<Extract<AppResult, { kind: "verdict" }>> {
  const isKept = await store.put(verdict, evidence);
  const kept = isKept ? verdict : await store.get(verdict.key);
  return { kind: "verdict", verdict: kept ?? verdict, known: !isKept };
}

async function certifyIn(
  scratch: string,
  folder: string,
  seed: number,
  context: CertifyContext,
): Promise<CertificationResult> {
  const { tier, jobs, cache, version, env } = context;
  const [out, temporary] = [join(scratch, "out"), join(scratch, "t")];
  for (const each of [out, temporary]) await mkdir(each);
  const task = { folder, tier, seed, jobs, cache, version, out, report: false };
  // Its temporary files are in the scratch folder, which is deleted even when it was killed.
  return certifyInChildProcess({ ...context, task, env: { ...env, TMPDIR: temporary } });
}

const timestamp = (clock: Clock): string => new Date(clock.unixTime()).toISOString();

/** The same choices each time that the same files are certified. */
const seedOf = (digest: string): number => Number.parseInt(digest.replace(/^sha256:/, "").slice(0, 8), 16);
