import type { KeyObject } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { writeReport } from "../report/write-report.ts";
import { sealStatement } from "../verdict/signing.ts";
import { statementOf } from "../verdict/statement.ts";
import type { DecidedVerdict, Verdict } from "../verdict/verdict.ts";
import { badgeJson, badgeSvg } from "./badge.ts";
import { junitOf } from "./junit.ts";
import { sarifOf } from "./sarif.ts";

/** The signed statement: one DSSE envelope, as in-toto names such files. */
export const SIGNED_STATEMENT_FILE = "verdict.intoto.jsonl";
/** The predicate of that statement, for those who sign it with another tool. */
const PREDICATE = "predicate.json";
/** What the random user did when the app failed, for `certify --replay`. */
const REPLAY = "replay.json";
/** Files of a whole certification with a decision; those of an earlier one are deleted. */
const DECIDED_ONLY = ["badge.json", "badge.svg", PREDICATE, SIGNED_STATEMENT_FILE];

/**
 * Writes a verdict into a folder: verdict.json and the files that are derived from it. A part of the requirements, an
 * inconclusive verdict and an error get no badge, no predicate and no signature.
 * @param key signs the verdict; null: no signature
 * @param folderFromRoot the app's folder relative to the working directory, which must be the root of the repository for
 *   annotations and SARIF
 * @returns the files' names
 */
export async function writeOutputs(
  verdict: Verdict,
  folder: string,
  key: KeyObject | null,
  folderFromRoot = ".",
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  for (const name of [...DECIDED_ONLY, REPLAY]) await rm(join(folder, name), { force: true });
  const text = `${JSON.stringify(verdict)}\n`;
  const files: Record<string, string> = {
    "verdict.json": text,
    "junit.xml": junitOf(verdict, folderFromRoot),
    "verdict.sarif": `${JSON.stringify(sarifOf(verdict, folderFromRoot))}\n`,
    ...(verdict.replay ? { [REPLAY]: `${JSON.stringify(verdict.replay, null, 2)}\n` } : {}),
    ...(isDecided(verdict) ? decidedFiles(verdict, text, key) : {}),
  };
  for (const [name, text] of Object.entries(files)) await writeFileAtomic(join(folder, name), text);
  await writeReport(verdict, folder);
  return [...Object.keys(files), "report.html"];
}

const isDecided = (verdict: Verdict): verdict is DecidedVerdict =>
  verdict.only === null && (verdict.verdict === "conformant" || verdict.verdict === "not-conformant");

/** @param text of verdict.json */
function decidedFiles(verdict: DecidedVerdict, text: string, key: KeyObject | null): Record<string, string> {
  const statement = statementOf(verdict, text);
  const signed = key === null ? {} : { [SIGNED_STATEMENT_FILE]: `${JSON.stringify(sealStatement(statement, key))}\n` };
  return {
    "badge.json": badgeJson(verdict),
    "badge.svg": badgeSvg(verdict),
    [PREDICATE]: `${JSON.stringify(statement.predicate)}\n`,
    ...signed,
  };
}
