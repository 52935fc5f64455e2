import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { ifAbsent } from "../../../common/machine/absent.ts";
import { normaliseName } from "../../../robot/wire/apps/app-search.ts";

/** Name of the folder in the data folder that holds the environments of single apps. */
export const OWN_VENVS_FOLDER = "app_venvs";

/** Begin the names of an environment that is being replaced, and of one that is being removed. */
const ASIDE = ".old-";
const GONE = ".gone-";

/** The folder for the environment of a distribution that has one for itself. */
export function ownVenvOf(dataDir: string, distribution: string): string {
  return path.join(dataDir, OWN_VENVS_FOLDER, normaliseName(distribution));
}

/** Whether an environment is that of a single app. */
export const isOwnVenv = (venv: string): boolean => path.basename(path.dirname(venv)) === OWN_VENVS_FOLDER;

/** Where such an environment stands while another one takes its place. */
export const asideOf = (venv: string): string => path.join(path.dirname(venv), `${ASIDE}${path.basename(venv)}`);

/** Removes an environment of a single app; a program that is killed meanwhile leaves nothing that counts as one. */
export async function removeOwnVenv(venv: string): Promise<void> {
  const gone = path.join(path.dirname(venv), `${GONE}${path.basename(venv)}`);
  await rm(gone, { recursive: true, force: true });
  if (!existsSync(venv)) return;
  await rename(venv, gone);
  await rm(gone, { recursive: true, force: true });
}

/** All environments of single apps, also those that are just being made. */
export async function ownVenvsIn(dataDir: string): Promise<string[]> {
  const all = await entriesIn(dataDir);
  return all.filter((venv) => !path.basename(venv).startsWith(".") && existsSync(path.join(venv, "bin", "python")));
}

/** Tidies up what killed programs left: removes what was being removed, and puts back what was being replaced. */
export async function restoreOwnVenvs(dataDir: string): Promise<void> {
  for (const entry of await entriesIn(dataDir)) {
    const name = path.basename(entry);
    if (name.startsWith(GONE)) await rm(entry, { recursive: true, force: true });
    if (!name.startsWith(ASIDE)) continue;
    const venv = path.join(path.dirname(entry), name.slice(ASIDE.length));
    await rm(venv, { recursive: true, force: true });
    await rename(entry, venv);
  }
}

async function entriesIn(dataDir: string): Promise<string[]> {
  const folder = path.join(dataDir, OWN_VENVS_FOLDER);
  const names = (await readdir(folder).catch(ifAbsent<string[]>([]))).sort();
  return names.filter((name) => !name.endsWith(".lock")).map((name) => path.join(folder, name));
}
