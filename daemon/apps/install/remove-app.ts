import path from "node:path";
import { sameName } from "../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { installSdk } from "./environment/apps-venv.ts";
import { sharesFilesWith } from "./environment/file-owners.ts";
import type { InstalledDistribution } from "./environment/installed-distributions.ts";
import { changeVenv } from "./environment/transaction.ts";
import { withVenvLock } from "./environment/venv-lock.ts";
import { withStagingFolder } from "./fetch/staging.ts";
import { type InstallParts, toolRun } from "./install-parts.ts";
import type { JobRun } from "./jobs/jobs.ts";
import { type InstallerRun, reinstallInto, uninstallFrom } from "./tools/installer.ts";

/**
 * Removes an app, with the whole distribution that it belongs to.
 * @throws WorkbenchError `app-not-found`, `install-failed`, `app-already-running`, `deadline-passed`
 */
export async function removeApp(name: string, parts: InstallParts, run: JobRun): Promise<void> {
  const { info } = await parts.installed.find(name);
  const unlock = parts.lockApps([info.name]);
  const changePackages = (change: () => Promise<void>) =>
    parts.duringChange(`The removal of ${info.name}`, run, () => changeVenv(parts.venv, change));
  try {
    await withStagingFolder(parts.stagingDir, (scratch) =>
      withVenvLock(parts.venv, parts.clock, () =>
        changePackages(async () => {
          run.enter("install", 20);
          const tool = { scratch, ...toolRun(run, parts.clock) };
          await uninstallWithRepair(String(info.extra.distribution), parts, tool);
          run.enter("verify", 90);
          const remains = (await parts.installed.list()).some((app) => sameName(app.info.name, info.name));
          if (remains) throw new WorkbenchError("install-failed", `${info.name} is still there after it was removed.`);
          run.enter("record", 95);
          await parts.origins.delete(info.name);
        }),
      ),
    );
  } finally {
    unlock();
  }
}

/** Uninstalls a distribution, and reinstalls others that lost files which both listed. */
async function uninstallWithRepair(name: string, parts: InstallParts, tool: InstallerRun): Promise<void> {
  const damaged = await sharesFilesWith(parts.venv, name.replaceAll(/[_.]/g, "-"));
  await uninstallFrom(parts, name, tool);
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
