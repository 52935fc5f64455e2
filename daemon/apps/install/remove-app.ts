import path from "node:path";
import { sameName } from "../../../robot/wire/apps/app-search.ts";
import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { InstalledApps } from "../catalogue/installed-apps.ts";
import { removeOwnVenv } from "../catalogue/own-venvs.ts";
import { installSdk } from "./environment/apps-venv.ts";
import { isEnvironmentFile, readEnvironment } from "./environment/environment-state.ts";
import { damagedBy, type InstalledDistribution } from "./environment/installed-distributions.ts";
import { changeVenv, putBack } from "./environment/transaction.ts";
import { withVenvLock } from "./environment/venv-lock.ts";
import { withStagingFolder } from "./fetch/staging.ts";
import { type InstallParts, namesInDistribution, toolRun } from "./install-parts.ts";
import type { JobRun } from "./jobs/jobs.ts";
import { type InstallerRun, reinstallInto, uninstallFrom } from "./tools/installer.ts";

/**
 * Removes an app, with the whole distribution that it belongs to.
 * @throws WorkbenchError `app-not-found`, `install-failed`, `app-already-running`, `deadline-passed`
 */
export async function removeApp(name: string, parts: InstallParts, run: JobRun): Promise<void> {
  const { info, ownVenv } = await parts.installed.find(name);
  const unlock = parts.lockApps(await namesInDistribution(String(info.extra.distribution), parts.installed));
  try {
    if (ownVenv !== undefined) return await removeWithVenv(ownVenv, info.name, parts, run);
    await removeFromShared(info, parts, run);
  } finally {
    unlock();
  }
}

/** Removes an app together with the environment that it has for itself. */
export function removeWithVenv(venv: string, name: string, parts: InstallParts, run: JobRun): Promise<void> {
  return parts.duringChange(`The removal of ${name}`, run, () =>
    withVenvLock(venv, parts.clock, async () => {
      run.enter("install", 20);
      await removeOwnVenv(venv);
    }),
  );
}

/** Uninstalls an app's distribution from the environment that apps share. */
export function removeFromShared({ name, extra }: AppInfo, parts: InstallParts, run: JobRun): Promise<void> {
  return withStagingFolder(parts.stagingDir, (scratch) =>
    withVenvLock(parts.venv, parts.clock, () =>
      parts.duringChange(`The removal of ${name}`, run, () =>
        changeVenv(parts.venv, async () => {
          run.enter("install", 20);
          const distribution = String(extra.distribution);
          const names = await namesInDistribution(distribution, new InstalledApps(parts.venv));
          const tool = { scratch, ...toolRun(run, parts.clock) };
          await uninstallWithRepair(distribution, parts, tool);
          run.enter("verify", 90);
          // This environment only: the app may have moved to one of its own.
          const remains = (await new InstalledApps(parts.venv).list()).some(({ info }) => sameName(info.name, name));
          if (remains) throw new WorkbenchError("install-failed", `${name} is still there after it was removed.`);
          run.enter("record", 95);
          await parts.origins.delete(names);
        }),
      ),
    ),
  );
}

/**
 * Uninstalls a distribution. Files that it only claims stay: those of others, and of the environment itself. Others whose
 * files it had replaced are reinstalled.
 */
async function uninstallWithRepair(name: string, parts: InstallParts, tool: InstallerRun): Promise<void> {
  const { venv } = parts;
  const before = await readEnvironment(venv);
  const damaged = await damagedBy(venv, name.replaceAll(/[_.]/g, "-"));
  await uninstallFrom(parts, name, tool);
  const after = await readEnvironment(venv);
  for (const file of before.files.keys()) {
    const owners = before.owners.get(file) ?? [];
    const isOwn = owners.every((owner) => sameName(owner, name)) && !isEnvironmentFile(file);
    if (!after.files.has(file) && !isOwn) await putBack(venv, file);
  }
  for (const distribution of damaged) {
    tool.onLine(`repairing ${distribution.name}, whose files ${name} had replaced`);
    await reinstall(distribution, parts, tool);
  }
}

async function reinstall(
  { name, version }: InstalledDistribution,
  parts: InstallParts,
  tool: InstallerRun,
): Promise<void> {
  const { venv, sdkPath } = parts;
  if (name === "robot-sdk" && sdkPath !== undefined) {
    const dataDir = path.dirname(parts.stagingDir);
    return installSdk(venv, { ...parts, sdkPath, dataDir, signal: tool.signal, onProgress: tool.onLine });
  }
  await reinstallInto(parts, `${name}==${version}`, tool).catch((error) => {
    tool.signal?.throwIfAborted();
    // The app is removed all the same: it is what damages the environment.
    tool.onLine(`${name} could not be repaired; install it again: ${error instanceof Error ? error.message : error}`);
  });
}
