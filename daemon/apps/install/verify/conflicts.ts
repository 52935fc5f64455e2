import { normaliseName, sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import {
  type InstalledDistribution,
  installedDistributions,
  requirementsOf,
} from "../environment/installed-distributions.ts";
import { checkEnvironment, type InstallerParts, type InstallerRun } from "../tools/installer.ts";

/**
 * Rejects an install that breaks what another distribution requires; pip itself only prints a warning. Requirements that
 * were unmet before, of distributions that the install did not touch, do not count.
 * @param app the distribution that was installed
 * @param before the distributions before the install
 * @throws WorkbenchError `dependency-conflict` that names the unmet requirements
 */
export async function rejectConflicts(
  app: string,
  before: readonly InstalledDistribution[],
  parts: InstallerParts,
  run: InstallerRun,
): Promise<void> {
  const after = await installedDistributions(parts.venv);
  const touched = new Set([app, ...difference(before, after), ...difference(after, before)].map(normaliseName));
  // The installer has met the app's own requirements. An install of the app alone breaks only distributions that require it.
  if (touched.size === 1 && !(await isRequired(app, after))) return;
  const unmet = (await unmetRequirements(parts, run)).filter((line) =>
    possibleNamesIn(line).some((name) => touched.has(name)),
  );
  if (unmet.length === 0) return;
  throw new WorkbenchError(
    "dependency-conflict",
    `The app does not fit what is installed: ${unmet.join("; ").replace(/\.$/, "")}. Everything is as it was before.`,
  );
}

/** Whether any of the distributions requires the one of this name, also by an extra. */
async function isRequired(name: string, distributions: readonly InstalledDistribution[]): Promise<boolean> {
  const required = await Promise.all(distributions.map((each) => requirementsOf(each, "with extras")));
  return required.flat().some((each) => sameName(each, name));
}

/** Names of the distributions that are in `one` and not, or in another version, in `other`. */
function difference(one: readonly InstalledDistribution[], other: readonly InstalledDistribution[]): string[] {
  const versions = new Set(other.map(({ name, version }) => `${name} ${version}`));
  return one.filter(({ name, version }) => !versions.has(`${name} ${version}`)).map(({ name }) => name);
}

/** The unmet requirements of all distributions, a sentence each, in the installer's own words. */
async function unmetRequirements(parts: InstallerParts, run: InstallerRun): Promise<string[]> {
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line.trim());
  await checkEnvironment(parts, { ...run, onLine }).catch((error) => {
    // The tool exits with an error code when there are unmet requirements, which is a result and no failure.
    if (!(error instanceof WorkbenchError) || error.code === "deadline-passed") throw error;
  });
  return lines.filter((line) => /\b(requires|has requirement)\b/.test(line));
}

/** Every word that could be the name of a distribution, in a sentence like `app 1.0 has requirement numpy<2, but you have numpy 2.0.` */
function possibleNamesIn(line: string): string[] {
  return (line.match(/[A-Za-z0-9][\w.-]*/g) ?? []).map((word) => normaliseName(word.replace(/\.$/, "")));
}
