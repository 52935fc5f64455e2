import type { KeyObject } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { writeReport } from "../report/write-report.ts";
import { sealStatement } from "../verdict/envelope.ts";
import { statementOf } from "../verdict/statement.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { badgeJson, badgeSvg } from "./badge.ts";
import { junitOf } from "./junit.ts";
import { sarifOf } from "./sarif.ts";

/** The signed statement: one DSSE envelope, as in-toto names such files. */
export const SIGNED = "verdict.intoto.jsonl";
/** Files of a whole certification with a decision; those of an earlier one are deleted. */
const DECIDED_ONLY = ["badge.json", "badge.svg", SIGNED];

/**
 * Writes a verdict into a folder: verdict.json and the files that are derived from it. A part of the requirements, an
 * inconclusive verdict and an error get no badge and no signature.
 * @param key signs the verdict; null: no signature
 * @param shownFolder the app's folder, as its repository has it
 * @returns the files' names
 */
export async function writeOutputs(
  verdict: Verdict,
  folder: string,
  key: KeyObject | null,
  shownFolder = ".",
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  for (const name of DECIDED_ONLY) await rm(join(folder, name), { force: true });
  const { verdict: word } = verdict;
  const isDecided = verdict.only === null && (word === "conformant" || word === "not-conformant");
  const text = `${JSON.stringify(verdict)}\n`;
  const signed = (by: KeyObject) =>
    `${JSON.stringify(sealStatement(statementOf({ ...verdict, verdict: word as "conformant" }, text), by))}\n`;
  const files: Record<string, string> = {
    "verdict.json": text,
    "junit.xml": junitOf(verdict),
    "verdict.sarif": `${JSON.stringify(sarifOf(verdict, shownFolder))}\n`,
    ...(isDecided ? { "badge.json": badgeJson(verdict), "badge.svg": badgeSvg(verdict) } : {}),
    ...(key === null || !isDecided ? {} : { [SIGNED]: signed(key) }),
  };
  for (const [name, text] of Object.entries(files)) await writeFileAtomic(join(folder, name), text);
  await writeReport(verdict, folder);
  return [...Object.keys(files), "report.html"];
}
