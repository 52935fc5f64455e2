import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import type { JobStage } from "../../../robot/wire/apps/jobs.ts";
import { InstalledApps } from "../catalogue/installed-apps.ts";
import { OriginRecords } from "../catalogue/origin-records.ts";
import { readProject } from "./check/project.ts";
import { digestOf } from "./fetch/digest.ts";
import type { AppSource } from "./fetch/source.ts";
import { stagingFolderIn } from "./fetch/staging.ts";
import { type EnvironmentChoice, installApp } from "./install-app.ts";
import type { InstallParts } from "./install-parts.ts";
import type { InstallerParts } from "./tools/installer.ts";

export interface InstallWithoutDaemonOptions extends InstallerParts, Pick<InstallParts, "reader" | "clock"> {
  dataDir: string;
  /** The SDK for an environment of the app's own; without it, an app that needs one is refused. */
  sdkPath?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called with each line that the tools print. */
  onProgress(line: string): void;
  /** Called with each stage as it begins. */
  onStage?: ((stage: JobStage) => void) | undefined;
}

/**
 * Installs an app without a daemon, as the command line does.
 * @throws WorkbenchError as `installApp`; `app-busy` while another program changes the environment
 */
export function installWithoutDaemon(
  source: AppSource,
  options: InstallWithoutDaemonOptions,
  choice: EnvironmentChoice = {},
): Promise<AppInfo> {
  const { dataDir, venv, onProgress, onStage = () => {}, signal = new AbortController().signal } = options;
  const origins = new OriginRecords(venv, dataDir);
  const parts = {
    ...options,
    installed: new InstalledApps(venv, origins, dataDir),
    origins,
    stagingDir: stagingFolderIn(dataDir),
    lockApps: () => () => {},
    duringChange: <T>(_: string, _run: unknown, change: () => Promise<T>) => change(),
  };
  return installApp(source, parts, { signal, enter: onStage, log: onProgress }, choice);
}

/** True when the apps of a folder are installed exactly as the folder has them. */
export async function isInstalledAsIs({
  folder,
  dataDir,
  venv,
}: Pick<InstallWithoutDaemonOptions, "dataDir" | "venv"> & { folder: string }): Promise<boolean> {
  const { entryPoints } = await readProject(folder);
  const installed = await new InstalledApps(venv, new OriginRecords(venv, dataDir), dataDir).list();
  const revision = await digestOf(folder);
  return entryPoints.every(({ key }) =>
    installed.some(({ info }) => info.name === key && info.extra.origin?.revision === revision),
  );
}
