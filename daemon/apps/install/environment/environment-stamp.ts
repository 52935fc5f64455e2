import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { readJson, writeJson } from "../../../files/json-file.ts";
import { OWN_VENVS_FOLDER } from "../../catalogue/own-venvs.ts";

const STAMP_FILE = "robot-sdk.json";

/** What the programs know of an environment; a file in it. */
export const VenvStamp = z.object({
  /** The digest of the SDK in it, written last: an environment without it is incomplete. */
  sdk: z.string().optional(),
  /** Whether these programs created the environment, so that they may delete it; missing in one of somebody else. */
  created: z.boolean().optional(),
  /** The renamed environment with apps that this one replaces; only until the creation is complete, and a person was told. */
  renamed: z.string().optional(),
});
type VenvStamp = z.infer<typeof VenvStamp>;

export const stampFileOf = (venv: string): string => path.join(venv, STAMP_FILE);

/** The stamp of an environment; empty where there is none that can be read. */
export const readVenvStamp = async (venv: string): Promise<VenvStamp> =>
  (await readJson(stampFileOf(venv), VenvStamp)) ?? {};

/** Writes the SDK's digest into the stamp of a complete environment; the stamp keeps who created it. */
export async function writeSdkStamp(venv: string, sdk: string): Promise<void> {
  const { created } = await readVenvStamp(venv);
  await writeJson(stampFileOf(venv), { created, sdk } satisfies VenvStamp);
}

/** Whether a folder is one of those in which the daemon keeps environments. */
function isOwnFolder(venv: string, dataDir: string): boolean {
  const within = path.relative(dataDir, venv);
  return within === "apps_venv" || path.dirname(within) === OWN_VENVS_FOLDER;
}

/** Whether a folder is empty or these programs' own, so that an environment may take its place. */
export async function mayReplaceVenv(venv: string, dataDir: string): Promise<boolean> {
  if (isOwnFolder(venv, dataDir) || (await readVenvStamp(venv)).created === true) return true;
  const names = await readdir(venv).catch(({ code }: NodeJS.ErrnoException) => (code === "ENOENT" ? [] : [code]));
  return names.length === 0;
}

/**
 * Empties a folder that may be replaced, or makes it. The stamp is there first: what a killed program leaves shows that it
 * may be replaced, too.
 * @param renamed the renamed environment with apps that the new one replaces
 */
export async function emptyForCreation(venv: string, dataDir: string, renamed?: string): Promise<void> {
  // A link in the data folder may lead to files of somebody else.
  if (isOwnFolder(venv, dataDir) || !existsSync(venv)) await rm(venv, { recursive: true, force: true });
  await writeJson(stampFileOf(venv), { created: true, renamed } satisfies VenvStamp);
  await removeAllButStamp(venv);
}

/** Removes an environment that these programs created, the stamp last. */
export async function removeCreatedVenv(venv: string): Promise<void> {
  await removeAllButStamp(venv);
  await rm(venv, { recursive: true, force: true });
}

async function removeAllButStamp(venv: string): Promise<void> {
  const names = await readdir(venv).catch(() => []);
  for (const name of names) if (name !== STAMP_FILE) await rm(path.join(venv, name), { recursive: true, force: true });
}

/** The error for a folder that may not be replaced and has no Python that runs its packages. */
export function notReplaceableError(venv: string): WorkbenchError {
  if (!existsSync(path.join(venv, "pyvenv.cfg"))) {
    const next = "Name a new or empty folder, or a Python environment.";
    return new WorkbenchError("usage", `${venv} is no environment of apps, and is not empty. ${next}`);
  }
  const why = `The Python of the environment ${venv} is gone, or is of another version than its packages`;
  const next = "Install that Python again, or name another folder with --venv.";
  const text = `${why}. robot-daemon did not create this environment, so nothing was changed. ${next}`;
  return new WorkbenchError("python-missing", text);
}
