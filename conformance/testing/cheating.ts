import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { certify } from "../certify/certify.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { copyAppWithChanges, HOST, NO_PROGRESS, type Variant } from "./mutants.ts";

/** An entry of fixtures/cheating-apps/cheating.yaml. */
interface CheatingApp extends Variant {
  /** What it does, for a person. */
  does: string;
  /** The requirement that fails; null when nothing could be observed, and the verdict is inconclusive. */
  fails: string | null;
  /** Runs only under bubblewrap. */
  dangerous?: true;
}

export const CHEATING_APPS: Readonly<Record<string, CheatingApp>> = parse(
  await readFile("fixtures/cheating-apps/cheating.yaml", "utf8"),
);

interface CertifyCheatOptions {
  /** The requirements to judge; all unless given. */
  only?: readonly string[];
  /** Ends at the first MUST that failed. */
  failFast?: boolean;
  seed?: number;
}

/** The verdict of a certification of a cheating app. */
export async function certifyCheat(
  name: string,
  { only, failFast = false, seed = 1 }: CertifyCheatOptions = {},
): Promise<Verdict> {
  const { app, changes } = CHEATING_APPS[name] as CheatingApp;
  const into = await mkdtemp(join(tmpdir(), "robot-"));
  try {
    return await certify({
      tier: "whole",
      folder: await copyAppWithChanges(app, changes, into),
      version: "0.0.0",
      seed,
      thorough: false,
      replay: null,
      jobs: 4,
      retries: 0,
      failFast,
      allowNetwork: false,
      sandbox: true,
      provider: false,
      secrets: {},
      only: only ?? null,
      cache: resolve("artifacts/certification"),
      host: HOST,
      progress: NO_PROGRESS,
    });
  } finally {
    await rm(into, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * What is wrong with the verdict of a cheating app; null when it is no certificate, for the right reason. A certification
 * that ended at the first failure may not have come to the right one.
 */
export function problemWithCheat(name: string, { verdict, results, counts, isolation }: Verdict): string | null {
  const { fails } = CHEATING_APPS[name] as CheatingApp;
  if (verdict === "conformant") return "it was certified";
  if (isolation.sandbox === "none") return null;
  if (fails === null) return verdict === "inconclusive" ? null : `the verdict is ${verdict}`;
  const own = results.find(({ id }) => id === fails);
  const ended = own?.status === "inconclusive" && counts.fail > 0;
  return own?.status === "fail" || ended ? null : `${fails} is ${own?.status} (${own?.reason})`;
}
