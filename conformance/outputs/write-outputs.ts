import type { KeyObject } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { writeReport } from "../report/write-report.ts";
import { signatureOf } from "../verdict/sign.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { badgeJson, badgeSvg } from "./badge.ts";
import { junitOf } from "./junit.ts";

/** Files that only a whole certification leaves; those of an earlier one must not stand beside a part. */
const WHOLE_ONLY = ["badge.json", "badge.svg", "verdict.json.sig"];

/**
 * Writes a verdict into a folder: verdict.json and what is derived from it.
 * @param key signs it; null does not
 * @returns the files' names
 */
export async function writeOutputs(verdict: Verdict, folder: string, key: KeyObject | null): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  for (const name of WHOLE_ONLY) await rm(join(folder, name), { force: true });
  const files: Record<string, string> = {
    "verdict.json": `${JSON.stringify(verdict)}\n`,
    "junit.xml": junitOf(verdict),
    ...(verdict.only === null ? { "badge.json": badgeJson(verdict), "badge.svg": badgeSvg(verdict) } : {}),
    ...(key === null ? {} : { "verdict.json.sig": `${signatureOf(verdict, key)}\n` }),
  };
  for (const [name, text] of Object.entries(files)) await writeFileAtomic(join(folder, name), text);
  await writeReport(verdict, folder);
  return [...Object.keys(files), "report.html"];
}
