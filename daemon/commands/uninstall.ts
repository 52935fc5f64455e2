import { existsSync } from "node:fs";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { userFolder } from "../../common/machine/user-folders.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { ORIGINS_FILE } from "../apps/catalogue/origin-records.ts";
import { OWN_VENVS_FOLDER } from "../apps/catalogue/own-venvs.ts";
import { readVenvStamp } from "../apps/install/environment/environment-stamp.ts";
import type { Invocation } from "../command-line/invocation.ts";
import { dataFolderInUseError, tryOpenDataFolder } from "../data-folder/data-folder.ts";
import type { CommandContext } from "./command-context.ts";

type UninstallInvocation = Extract<Invocation, { command: "uninstall" }>;

/** What --purge removes from a data folder. Anything else stays: files of others, and `moves`, which may have moves of the person. */
const KEPT = [
  ...["apps_venv", "apps_venv.lock", OWN_VENVS_FOLDER, "certification", "logs", "staging", "work", "in-use"],
  ...["access-token", "audio.json", "catalogue.json", "running-app.json", "startup-app.json", ORIGINS_FILE],
];

/** A damaged file that was set aside; see `setAsideDamagedFiles`. */
const DAMAGED_FILE = /\.damaged(-\d+)?$/;
/** An environment that was set aside because its Python did not run any more, named by the moment. */
const RENAMED_VENV = /^apps_venv-\d{4}-/;

/** A folder of this user, with what the programs keep there; `known` is null where the whole folder is theirs. */
interface Kept {
  folder: string;
  holds: string;
  known: readonly string[] | null;
}

/**
 * `robot-daemon uninstall`: says how the package is removed and what it leaves; with --purge, removes that.
 * @returns false when the person did not agree
 * @throws WorkbenchError `data-folder-in-use`; `usage` when nobody can be asked
 */
export async function uninstallDaemon(
  { dataDir, venv, purge, agreed, json }: UninstallInvocation,
  { env, print: out, report, isInteractive, commandFor, confirm }: CommandContext,
): Promise<boolean> {
  const places = (await placesOf(dataDir, venv, env)).filter(({ folder }) => existsSync(folder));
  const folders = await Promise.all(
    places.map(async ({ folder, holds }) => ({ folder, megabytes: await sizeOf(folder), holds })),
  );
  const lines = folders.map(({ folder, megabytes, holds }) => `  ${folder}  (${megabytes} MB: ${holds})\n`);
  const print = json ? report : out;
  const end = (status: "kept" | "removed" | "declined"): boolean => {
    if (json) out(`${JSON.stringify({ status, folders })}\n`);
    return status !== "declined";
  };
  if (!purge) {
    const npm = commandFor("robot-daemon").startsWith("npx") ? "npm uninstall" : "npm uninstall --global";
    print(`${npm} robot-daemon removes the programs.\n`);
    if (places.length === 0) print("Nothing else is left.\n");
    else print(`These folders stay:\n${lines.join("")}${commandFor("robot-daemon")} uninstall --purge removes them.\n`);
    return end("kept");
  }
  if (places.length === 0) {
    print("There is nothing to remove.\n");
    return end("removed");
  }
  print(`To be removed:\n${lines.join("")}`);
  if (!agreed && !isInteractive) throw new WorkbenchError("usage", "--purge asks first; add --yes to remove them.");
  if (!agreed && !(await confirm("Remove all apps, their settings and logs?"))) {
    print("Nothing was removed.\n");
    return end("declined");
  }
  await whileUnused(dataDir, venv, async () => {
    for (const place of places) await remove(place);
  });
  for (const { folder } of places) {
    const left = await readdir(folder).catch(() => []);
    if (left.length > 0) report(`${folder} stays, with ${left.join(", ")}: delete what you do not need.\n`);
  }
  print("Removed.\n");
  return end("removed");
}

async function placesOf(dataDir: string, venv: string, env: CommandContext["env"]): Promise<Kept[]> {
  // --venv may name an environment of somebody else, which has the SDK, too.
  const isElsewhere = dirname(venv) !== dataDir && (await readVenvStamp(venv)).created === true;
  const ownVenv = isElsewhere ? [{ folder: venv, holds: "the apps and their packages", known: null }] : [];
  return [
    { folder: dataDir, holds: "apps, their packages, settings and logs", known: KEPT },
    ...ownVenv,
    { folder: userFolder("state", "robot-app-assistant", env), holds: "edits that can be undone", known: null },
    { folder: userFolder("data", "robot-hub", env), holds: "spaces of the hub for development", known: null },
  ];
}

/** @throws WorkbenchError `data-folder-in-use` while a daemon or an install uses the folder */
async function whileUnused(dataDir: string, venv: string, work: () => Promise<void>): Promise<void> {
  if (!existsSync(dataDir)) return work();
  const opened = await tryOpenDataFolder(dataDir, { doing: "install", url: null, venv });
  if (!("close" in opened)) throw dataFolderInUseError(dataDir, opened);
  await work().finally(opened.close);
  await rmdir(dataDir).catch(() => undefined); // has other files
}

async function remove({ folder, known }: Kept): Promise<void> {
  if (known === null) return rm(folder, { recursive: true, force: true });
  // The lock is released, and thereby removed, at the end.
  const setAside = (await readdir(folder)).filter((name) => RENAMED_VENV.test(name) || DAMAGED_FILE.test(name));
  for (const name of [...known, ...setAside])
    if (name !== "in-use") await rm(join(folder, name), { recursive: true, force: true });
}

/** Megabytes in a folder, rounded up. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const nothing = () => ({ size: 0 });
  const found = await Promise.all(files.map((file) => lstat(join(file.parentPath, file.name)).catch(nothing)));
  return Math.ceil(found.reduce((sum, { size }) => sum + size, 0) / 1e6);
}
