import { readFile } from "node:fs/promises";
import path from "node:path";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import type { InstallFigures } from "../../../../robot/wire/apps/app-status.ts";
import type { InstalledDistribution } from "../environment/installed-distributions.ts";

export type AddedPackages = Pick<InstallFigures, "packages" | "bytes">;

/** What an install added: the app itself, and the packages that were not there in this version. */
export async function addedPackages(
  app: string,
  before: readonly InstalledDistribution[],
  after: readonly InstalledDistribution[],
): Promise<AddedPackages> {
  const known = new Set(before.map(({ folder }) => folder));
  const added = after.filter(({ name, folder }) => !known.has(folder) || sameName(name, app));
  const sizes = await Promise.all(added.map(sizeOf));
  return { packages: added.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

/** Bytes of a distribution's files, as its installer recorded them: the last column of RECORD. */
async function sizeOf({ folder }: InstalledDistribution): Promise<number> {
  const text = await readFile(path.join(folder, "RECORD"), "utf8").catch(() => "");
  return text.split(/\r?\n/).reduce((sum, line) => sum + Number(/,(\d+)$/.exec(line)?.[1] ?? 0), 0);
}
