import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../../common/machine/remove-tree.ts";
import type { Clock } from "../../../common/time/clock.ts";
import type { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { isAddress } from "../../../daemon/apps/hub/space-address.ts";
import type { Tier } from "../../certify/tiers.ts";
import { type CertificationResult, certifyInChildProcess } from "../../child-process/certify-in-child-process.ts";
import type { Failure } from "../../child-process/failure.ts";
import type { CertifyLimits } from "../../child-process/limits.ts";
import { EVIDENCE_FILE } from "../../child-process/messages.ts";
import { makeScratchFolder } from "../../child-process/scratch-folders.ts";
import { type CatalogueApp, type FetchedApp, fetchApp } from "../apps/catalogue-apps.ts";
import type { CatalogueVerdict, VerdictKey } from "../catalogue-verdict.ts";
import type { VerdictStore } from "../store/verdict-store.ts";

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
  const { store, tier, version, clock } = context;
  const key: VerdictKey = { digest, suite: version, tier };
  const known = await store.get(key);
  if (known !== null) return { kind: "verdict", verdict: known, known: true };
  await context.waitForTurn();
  const startedAt = new Date(clock.unixTime()).toISOString();
  const seed = seedOf(digest);
  const certified = await certifyIn(scratch, folder, seed, context);
  if (certified.kind === "failure") return { kind: "failed", digest, failure: certified.failure };
  const evidence = await readFile(join(scratch, "out", EVIDENCE_FILE));
  const { kind: _, passed: _passed, seconds, cpuSeconds, memoryBytes, ...judged } = certified;
  const cost = { seconds, cpuSeconds, memoryBytes, diskBytes: evidence.length };
  const base = { format: "robot-catalogue-verdict", formatVersion: 1, key, startedAt, seed } as const;
  return keep({ ...base, ...judged, cost }, { [EVIDENCE_FILE]: evidence }, context);
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

/** The same choices each time that the same files are certified. */
const seedOf = (digest: string): number => Number.parseInt(digest.replace(/^sha256:/, "").slice(0, 8), 16);
