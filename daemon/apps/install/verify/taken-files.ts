import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { InstalledApps } from "../../catalogue/installed-apps.ts";
import { type FileOwners, recordOf } from "../environment/file-owners.ts";
import {
  type InstalledDistribution,
  installedDistributions,
  requirementsOf,
} from "../environment/installed-distributions.ts";

/** Distributions that all apps need. */
const NEEDED_BY_ALL = ["robot-sdk", "pip", "setuptools"];

/**
 * Rejects an install in which a dependency overwrote files of another app, or of what all apps need. Dependencies may
 * overwrite each other's files, as the variants of some well-known packages do.
 * @param before the owners of all files, and the distributions, before the install
 * @throws WorkbenchError `dependency-conflict` that names the file and both distributions
 */
export async function rejectTakenFiles(
  venv: string,
  installed: InstalledApps,
  before: { owners: FileOwners; distributions: readonly InstalledDistribution[] },
): Promise<void> {
  const now = await installedDistributions(venv);
  const wasThere = new Set(before.distributions.map(({ name, version }) => `${name} ${version}`));
  const isProtected = await protectedNames(now, installed);
  for (const added of now.filter((one) => !wasThere.has(`${one.name} ${one.version}`))) {
    const { name } = added;
    for (const { file } of await recordOf(added)) {
      const owner = before.owners.get(file);
      if (owner === undefined || sameName(owner, name) || !isProtected(owner)) continue;
      throw new WorkbenchError(
        "dependency-conflict",
        `${name} ships ${file.replace(/^(\.\.\/)+/, "")}, which belongs to ${owner}. Everything is as it was before.`,
      );
    }
  }
}

/** Apps, and what all apps need with all that it requires. */
async function protectedNames(
  distributions: readonly InstalledDistribution[],
  installed: InstalledApps,
): Promise<(name: string) => boolean> {
  const names = (await installed.list()).map(({ info }) => String(info.extra.distribution));
  const pending = [...NEEDED_BY_ALL];
  for (const name of pending) {
    const distribution = distributions.find((one) => sameName(one.name, name));
    const required = distribution === undefined ? [] : await requirementsOf(distribution);
    // The list grows while it is walked.
    pending.push(...required.filter((other) => !pending.some((one) => sameName(one, other))));
  }
  return (name) => [...names, ...pending].some((one) => sameName(one, name));
}
