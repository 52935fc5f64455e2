import { readdir } from "node:fs/promises";
import { normaliseName } from "../../../robot/wire/app-search.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { sitePackagesOf } from "../catalogue/catalogue.ts";
import { checkEnvironment, type InstallerParts } from "./installer.ts";
import type { ToolRun } from "./tool.ts";

/** The distributions of an environment with their versions, as their records are named: `numpy-2.0.1`. */
export async function recordsIn(venv: string): Promise<Set<string>> {
  const names = await Promise.all((await sitePackagesOf(venv)).map((folder) => readdir(folder)));
  return new Set(names.flat().flatMap((name) => /^(.+)\.dist-info$/.exec(name)?.[1] ?? []));
}

/**
 * To be asked after an install: pip replaces what other apps need, and is content with that. What did not fit before,
 * and was not touched, is nobody's fault.
 * @param app the distribution that was installed
 * @param before the records before the install
 * @throws WorkbenchError `dependency-conflict` that names what does not fit any more
 */
export async function refuseConflicts(
  app: string,
  before: ReadonlySet<string>,
  parts: InstallerParts,
  run: ToolRun & { scratch: string },
): Promise<void> {
  const after = await recordsIn(parts.venv);
  const changed = [...after, ...before].filter((record) => !(after.has(record) && before.has(record)));
  const touched = new Set([app, ...changed.map((record) => record.replace(/-[^-]+$/, ""))].map(normaliseName));
  const faults = (await faultsIn(parts, run)).filter((line) => namesIn(line).some((name) => touched.has(name)));
  if (faults.length === 0) return;
  throw new WorkbenchError(
    "dependency-conflict",
    `The app does not fit what is installed: ${faults.join("; ").replace(/\.$/, "")}. Everything is as it was before.`,
  );
}

/** What the distributions miss of each other, a sentence each, in the installer's own words. */
async function faultsIn(parts: InstallerParts, run: ToolRun & { scratch: string }): Promise<string[]> {
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line.trim());
  await checkEnvironment(parts, { ...run, onLine }).catch((error) => {
    // That some do not fit is an answer of the tool, not its failure.
    if (!(error instanceof WorkbenchError) || error.code === "deadline-passed") throw error;
  });
  return lines.filter((line) => /\b(requires|has requirement)\b/.test(line));
}

/** All that could be a distribution in a sentence such as `app 1.0 has requirement numpy<2, but you have numpy 2.0.`. */
function namesIn(line: string): string[] {
  return (line.match(/[A-Za-z0-9][\w.-]*/g) ?? []).map((word) => normaliseName(word.replace(/\.$/, "")));
}
