import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { compareVersions } from "../../../../common/compare-versions.ts";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import type { InstallFigures } from "../../../../robot/wire/apps/app-status.ts";
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

/** From this version on, setuptools needs no other package to build a wheel. */
const WHEEL_BUILDER = "setuptools>=70.1";

/**
 * True when the environment itself holds all that a build requires. Any requirement that `areInstalled` does not understand
 * is left to an isolated build.
 */
export const hasBuildRequirements = (venv: string, requirements: readonly string[]): Promise<boolean> =>
  areInstalled(venv, [WHEEL_BUILDER, ...requirements]);

/** True when an environment holds all requirements. Understands a bare name and `>=`; for any other requirement, false. */
export async function areInstalled(venv: string, requirements: readonly string[]): Promise<boolean> {
  const installed = await installedDistributions(venv);
  return requirements.every((requirement) => installed.some((distribution) => satisfies(distribution, requirement)));
}

function satisfies({ name, version }: InstalledDistribution, requirement: string): boolean {
  const [, required, minimum] = /^\s*([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9.]+))?\s*$/.exec(requirement) ?? [];
  if (required === undefined || !sameName(name, required)) return false;
  return minimum === undefined || compareVersions(version, minimum) >= 0;
}

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

/** Which installed distribution each file belongs to, by the file's path relative to site-packages. */
export type FileOwners = ReadonlyMap<string, string>;

/** Reads the owners of all files of an environment from the lists that installers keep (RECORD). */
export async function fileOwnersIn(venv: string): Promise<FileOwners> {
  const owners = new Map<string, string>();
  for (const distribution of await installedDistributions(venv)) {
    for (const { file } of await recordOf(distribution)) {
      if (!owners.has(file)) owners.set(file, distribution.name);
    }
  }
  return owners;
}

/** One file of a distribution; `sha256` in base64url, null where the installer noted none. */
export interface RecordedFile {
  /** Path relative to site-packages. */
  file: string;
  sha256: string | null;
}

/** The files of a distribution; empty when it has no list of them. */
export async function recordOf({ folder }: InstalledDistribution): Promise<RecordedFile[]> {
  const text = await readFile(path.join(folder, "RECORD"), "utf8").catch(() => "");
  return text.split(/\r?\n/).flatMap(parseRecordLine);
}

/** One line: path, `algorithm=digest`, size; https://packaging.python.org/specifications/recording-installed-packages */
function parseRecordLine(line: string): RecordedFile[] {
  const [, quoted, plain, digest] = /^(?:"((?:[^"]|"")*)"|([^,]+)),(?:sha256=([\w-]+))?/.exec(line) ?? [];
  const file = quoted?.replaceAll('""', '"') ?? plain;
  return file === undefined ? [] : [{ file, sha256: digest ?? null }];
}

/** True when all files of a distribution are there, with the content that the installer wrote. */
export async function isIntact(distribution: InstalledDistribution): Promise<boolean> {
  const files = (await recordOf(distribution)).filter(({ file }) => !file.endsWith(".pyc"));
  const states = await Promise.all(files.map((file) => stateOf(distribution, file)));
  return states.every((state) => state === "intact" || state === "unknown");
}

/** Whether a file has the content that its installer noted. */
async function stateOf(
  { folder }: InstalledDistribution,
  { file, sha256 }: RecordedFile,
): Promise<"intact" | "changed" | "unknown"> {
  const content = await readFile(path.join(path.dirname(folder), file)).catch(() => null);
  if (content === null) return "changed";
  if (sha256 === null) return "unknown";
  return createHash("sha256").update(content).digest("base64url") === sha256 ? "intact" : "changed";
}

/** The distributions with a file that another one lists as well, unless it certainly has the content that is theirs. */
export async function damagedBy(venv: string, name: string): Promise<InstalledDistribution[]> {
  const distributions = await installedDistributions(venv);
  const own = distributions.find((one) => one.name === name);
  if (own === undefined) return [];
  const files = new Set((await recordOf(own)).map(({ file }) => file));
  const isDamaged = async (one: InstalledDistribution): Promise<boolean> => {
    const shared = (await recordOf(one)).filter(({ file }) => files.has(file));
    const states = await Promise.all(shared.map((file) => stateOf(one, file)));
    return states.some((state) => state !== "intact");
  };
  const damaged = await Promise.all(distributions.map(async (one) => one !== own && (await isDamaged(one))));
  return distributions.filter((_, index) => damaged[index]);
}
