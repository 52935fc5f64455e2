import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { sitePackagesOf } from "../../catalogue/installed-apps.ts";

/** An installed distribution, as the name of its metadata folder says: `numpy-2.0.1.dist-info`. */
export interface InstalledDistribution {
  /** With hyphens between its words. */
  name: string;
  version: string;
  /** Its metadata folder. */
  folder: string;
}

/** All distributions in an environment. */
export async function installedDistributions(venv: string): Promise<InstalledDistribution[]> {
  const lists = await Promise.all((await sitePackagesOf(venv)).map(distributionsIn));
  return lists.flat();
}

async function distributionsIn(sitePackages: string): Promise<InstalledDistribution[]> {
  const names = await readdir(sitePackages).catch(() => []);
  return names.flatMap((entry) => {
    const [, name, version] = /^(.+)-([^-]+)\.dist-info$/.exec(entry) ?? [];
    if (name === undefined || version === undefined || name.startsWith("~")) return [];
    return [{ name: name.replaceAll("_", "-"), version, folder: path.join(sitePackages, entry) }];
  });
}

/** Names of the distributions that one requires, with those of its extras. */
export async function requirementsOf({ folder }: InstalledDistribution): Promise<string[]> {
  const text = await readFile(path.join(folder, "METADATA"), "utf8").catch(() => "");
  return [...text.matchAll(/^Requires-Dist:\s*([A-Za-z0-9][\w.-]*)/gim)].flatMap(([, name]) => name ?? []);
}
