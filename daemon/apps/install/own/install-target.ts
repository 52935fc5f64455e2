import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import path from "node:path";
import { ensureFolder } from "../../../../common/files/make-folder.ts";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { InstalledApps } from "../../catalogue/installed-apps.ts";
import { OriginRecords } from "../../catalogue/origin-records.ts";
import { asideOf, ownVenvOf, removeOwnVenv } from "../../catalogue/own-venvs.ts";
import type { Project } from "../check/project.ts";
import { ensureAppsVenv, isComplete } from "../environment/apps-venv.ts";
import type { InstallParts } from "../install-parts.ts";
import type { InstallerRun } from "../tools/installer.ts";
import { pythonFor } from "./choose-python.ts";

/** The environment that an app is installed into. */
interface InstallTarget {
  /** The parts of the install, with that environment. */
  parts: InstallParts;
  /** Whether it is an environment for this app alone. */
  isOwn: boolean;
  /** Whether it was made for this install, so that all of it counts as installed. */
  isNew: boolean;
  /** Another environment that has the app from an earlier install, and has to lose it. */
  leaves: InstallParts | null;
  /** To be called when the app is installed. */
  keep(): Promise<void>;
  /** To be called when the install failed: everything is as it was before. */
  discard(): Promise<void>;
}

interface PlacedApp {
  project: Project;
  /** What the person wants; undefined leaves an app where it is. */
  isolated: boolean | undefined;
  /** Rejects where it is no app: no environment is created for it. */
  admitted: Promise<void>;
}

const nothing = async (): Promise<void> => {};

/** The parts of an install, with the environment that a distribution has for itself. */
function inOwnVenv(parts: InstallParts, venv: string): InstallParts {
  const origins = new OriginRecords(venv, null);
  return { ...parts, venv, origins, installed: new InstalledApps(venv, origins) };
}

/**
 * Chooses the environment for an app: the one that apps share, unless the person wants another, the app is in another
 * already, or it needs another Python. Creates that one.
 * @throws WorkbenchError `app-invalid`, `python-missing`, and as `ensureAppsVenv`; what `admitted` rejects with
 */
export async function chooseInstallTarget(
  { project, isolated, admitted }: PlacedApp,
  parts: InstallParts,
  run: InstallerRun,
): Promise<InstallTarget> {
  const apps = await parts.installed.list();
  const installed = apps.find(({ info }) => sameName(String(info.extra.distribution), project.name));
  const own = installed?.ownVenv;
  const stays = isolated !== false && own !== undefined;
  const python = await pythonFor(project, stays ? { ...parts, venv: own } : parts, run);
  const others = apps.filter(({ info }) => !sameName(String(info.extra.distribution), project.name));
  if (isolated !== true && !stays && python === null) {
    const leaves = own === undefined ? null : inOwnVenv(parts, own);
    return { parts, isOwn: false, isNew: false, leaves, keep: nothing, discard: nothing };
  }
  for (const { key } of project.entryPoints) {
    const other = others.find(({ info }) => sameName(info.name, key))?.info.extra.distribution;
    if (other === undefined) continue;
    const what = `it offers the app ${key}, which ${other} offers already; remove that first`;
    throw new WorkbenchError("app-invalid", `The app cannot be installed: ${what}. Nothing was changed.`);
  }
  await admitted;
  const venv = own ?? ownVenvOf(path.dirname(parts.stagingDir), project.name);
  const aside = asideOf(venv);
  // Another Python needs another environment, and one that is incomplete or whose Python is gone is not used any more. The old
  // one comes back when the install fails. Beside the new one it would count as an environment with this app, too.
  const isNew = python !== null || !(await isComplete(venv));
  if (isNew && existsSync(venv)) {
    run.onLine(`${project.name} gets a new environment in place of ${venv}`);
    // An install that was killed has set the old one aside, and left this one.
    if (existsSync(aside)) await removeOwnVenv(venv);
    else await rename(venv, aside);
  }
  const discard = async (): Promise<void> => {
    if (!isNew) return;
    await removeOwnVenv(venv);
    if (existsSync(aside)) await rename(aside, venv);
  };
  try {
    await createOwn(venv, python ?? path.join(parts.venv, "bin", "python"), parts, run);
  } catch (error) {
    await discard();
    throw error;
  }
  const place = inOwnVenv(parts, venv);
  const keep = () => removeOwnVenv(aside);
  const leaves = installed !== undefined && own === undefined ? parts : null;
  return { parts: place, isOwn: true, isNew, leaves, keep, discard };
}

async function createOwn(venv: string, python: string, parts: InstallParts, run: InstallerRun): Promise<void> {
  if (parts.sdkPath === undefined) {
    throw new WorkbenchError("python-missing", "The app needs an environment of its own, which cannot be made here.");
  }
  ensureFolder(path.dirname(venv));
  await ensureAppsVenv({
    dataDir: path.dirname(parts.stagingDir),
    venv,
    python,
    uv: parts.uv,
    sdkPath: parts.sdkPath,
    env: parts.env,
    clock: run.clock,
    signal: run.signal,
    onProgress: run.onLine,
    onRenamed: run.onLine,
  });
}
