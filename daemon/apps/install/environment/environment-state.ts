import { lstatSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../../../common/files/sha256.ts";
import { normaliseName } from "../../../../robot/wire/apps/app-search.ts";
import { jsonOrNull } from "../../../../robot/wire/validation/parse-json.ts";
import { distributionsOf, moduleFileIn } from "../../catalogue/distributions.ts";
import { sitePackagesOf } from "../../catalogue/installed-apps.ts";
import { ParsedFileCache } from "../../catalogue/parsed-file-cache.ts";
import { type InstalledDistribution, installedDistributions, recordOf } from "./installed-distributions.ts";
import { PASSING_ENTRIES } from "./transaction.ts";

/** An app that a distribution offers. Several distributions may offer one name. */
export interface DeclaredApp {
  name: string;
  distribution: string;
  /** `module:Class` */
  entryPoint: string;
  /** The module's file that Python would run; null without one. */
  file: string | null;
  /** A digest of the installer's list of the distribution's files. */
  installation: string | null;
}

/** What an environment has at one moment, to compare it with a later one. All paths are relative to the environment. */
export interface EnvironmentState {
  distributions: readonly InstalledDistribution[];
  /** A digest of each distribution's metadata, by its metadata folder. */
  digests: ReadonlyMap<string, string>;
  /** The address that a distribution was installed from instead of an index, by its normalised name. */
  addresses: ReadonlyMap<string, string>;
  /** The distributions that list a file. */
  owners: ReadonlyMap<string, readonly string[]>;
  /** All files but Python's caches, each with a text that changes when the file is replaced. */
  files: ReadonlyMap<string, string>;
  /** Python's caches, in the same way; Python writes and replaces them at any time. */
  caches: ReadonlyMap<string, string>;
  apps: readonly DeclaredApp[];
}

/** Files that the environment itself, its installers and the daemon read. */
const SETTINGS = /^(pyvenv\.cfg|pip\.conf|robot-sdk(\.json|\/.*)?|installed-apps\.json|bin\/(python|activate)[^/]*)$/i;
export const isEnvironmentFile = (file: string): boolean => SETTINGS.test(file);

/** Reads the state of an environment. */
export async function readEnvironment(folder: string): Promise<EnvironmentState> {
  const venv = path.resolve(folder);
  const distributions = await installedDistributions(venv);
  const digests = new Map<string, string>();
  const addresses = new Map<string, string>();
  const owners = new Map<string, string[]>();
  for (const one of distributions) {
    const read = (name: string) => readFile(path.join(one.folder, name), "utf8").catch(() => "");
    const [record, entryPoints, address] = [await read("RECORD"), await read("entry_points.txt"), await addressOf(one)];
    digests.set(one.folder, sha256(`${record}\0${entryPoints}\0${address}`));
    if (address !== null) addresses.set(normaliseName(one.name), address);
    const packages = path.relative(venv, path.dirname(one.folder));
    for (const { file } of await recordOf(one)) {
      const inVenv = file.startsWith(".") || file.startsWith("/") ? path.join(packages, file) : `${packages}/${file}`;
      const known = owners.get(inVenv);
      if (known === undefined) owners.set(inVenv, [one.name]);
      else known.push(one.name);
    }
  }
  return { distributions, digests, addresses, owners, ...(await filesIn(venv)), apps: await appsIn(venv) };
}

/** Normalised names of the distributions that were added, removed or changed between two states. */
export function changedDistributions(before: EnvironmentState, after: EnvironmentState): ReadonlySet<string> {
  const differ = [...before.distributions, ...after.distributions].filter(
    ({ folder }) => before.digests.get(folder) !== after.digests.get(folder),
  );
  return new Set(differ.map(({ name }) => normaliseName(name)));
}

async function addressOf({ folder }: InstalledDistribution): Promise<string | null> {
  const text = await readFile(path.join(folder, "direct_url.json"), "utf8").catch(() => "null");
  const found = jsonOrNull(text) as { url?: unknown } | null;
  return typeof found?.url === "string" ? found.url : null;
}

async function appsIn(venv: string): Promise<DeclaredApp[]> {
  const cache = new ParsedFileCache();
  const found = await Promise.all((await sitePackagesOf(venv)).map((folder) => distributionsOf(folder, cache)));
  return found.flat().flatMap(({ metadata, entryPoints, importPath, installation }) =>
    entryPoints.map(({ key, module, className }) => ({
      name: key,
      distribution: metadata.name,
      entryPoint: `${module}:${className}`,
      file: moduleFileIn(importPath, module),
      installation,
    })),
  );
}

/** Files to stat before yielding to the event loop: some milliseconds. */
const BATCH = 200;

async function filesIn(venv: string): Promise<Pick<EnvironmentState, "files" | "caches">> {
  const top = (await readdir(venv, { withFileTypes: true })).filter(({ name }) => !PASSING_ENTRIES.has(name));
  const trees = await Promise.all(
    top
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => readdir(path.join(venv, name), { recursive: true, withFileTypes: true })),
  );
  const files = [...top, ...trees.flat()]
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(venv.length + 1));
  const found = new Map<string, string>();
  const caches = new Map<string, string>();
  for (const [index, file] of files.entries()) {
    // One by one over promises would take five times as long.
    const state = lstatSync(`${venv}/${file}`, { throwIfNoEntry: false });
    if (state !== undefined)
      (file.includes("/__pycache__/") ? caches : found).set(file, `${state.ino} ${state.size} ${state.mtimeMs}`);
    if (index % BATCH === BATCH - 1) await setImmediate();
  }
  return { files: found, caches };
}
