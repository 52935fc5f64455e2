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

/** Names of the distributions that one requires: `always`, or also those of its extras. */
export async function requirementsOf(
  { folder }: InstalledDistribution,
  which: "always" | "with extras",
): Promise<string[]> {
  const text = await readFile(path.join(folder, "METADATA"), "utf8").catch(() => "");
  const required = [...text.matchAll(/^Requires-Dist:\s*([A-Za-z0-9][\w.-]*)([^\r\n]*)/gim)];
  const isWanted = (marker = "") => which === "with extras" || !/;.*\bextra\b/.test(marker);
  return required.flatMap(([, name, marker]) => (name !== undefined && isWanted(marker) ? name : []));
}
