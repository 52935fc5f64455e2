import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type InstalledDistribution, installedDistributions } from "./installed-distributions.ts";

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
