import type { KeyObject } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { writeReport } from "../report/write-report.ts";
import { signatureOf } from "../verdict/sign.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { badgeJson, badgeSvg } from "./badge.ts";
import { junitOf } from "./junit.ts";

/** Files of a whole certification with a decision; those of an earlier one are deleted. */
const DECIDED_ONLY = ["badge.json", "badge.svg", "verdict.json.sig"];

/**
 * Writes a verdict into a folder: verdict.json and the files that are derived from it. A part of the requirements, an
 * inconclusive verdict and an error get no badge and no signature.
 * @param key signs the verdict; null: no signature
 * @returns the files' names
 */
export async function writeOutputs(verdict: Verdict, folder: string, key: KeyObject | null): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  for (const name of DECIDED_ONLY) await rm(join(folder, name), { force: true });
  const isDecided = verdict.only === null && (verdict.verdict === "conformant" || verdict.verdict === "not-conformant");
  const files: Record<string, string> = {
    "verdict.json": `${JSON.stringify(verdict)}\n`,
    "junit.xml": junitOf(verdict),
    ...(isDecided ? { "badge.json": badgeJson(verdict), "badge.svg": badgeSvg(verdict) } : {}),
    ...(key === null || !isDecided ? {} : { "verdict.json.sig": `${signatureOf(verdict, key)}\n` }),
  };
  for (const [name, text] of Object.entries(files)) await writeFileAtomic(join(folder, name), text);
  await writeReport(verdict, folder);
  return [...Object.keys(files), "report.html"];
}
