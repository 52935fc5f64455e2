import type { AppInfo } from "../../../robot/wire/apps.ts";
import type { JobStage } from "../../../robot/wire/jobs.ts";
import type { Clock } from "../../clock.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { digestOf } from "./digest.ts";
import { installApp } from "./install-app.ts";
import { readProject } from "./project.ts";
import { Records } from "./records.ts";
import type { AppSource } from "./source.ts";
import { stagingIn } from "./staging.ts";

export interface InstallAloneOptions {
  dataDir: string;
  venv: string;
  uv: string | null;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  signal?: AbortSignal;
  /** Told what the tools print. */
  onProgress(line: string): void;
  /** Told of each stage as it begins. */
  onStage?(stage: JobStage): void;
}

/**
 * Installs an app without a daemon, as the command line does.
 * @throws WorkbenchError as `installApp`, `app-busy`
 */
export function installAlone(source: AppSource, options: InstallAloneOptions): Promise<AppInfo> {
  const { dataDir, venv, onProgress, onStage = () => {}, signal = new AbortController().signal } = options;
  const parts = {
    ...options,
    catalogue: new Catalogue(venv),
    records: new Records(dataDir),
    stagingDir: stagingIn(dataDir),
    reserve: () => () => {},
  };
  return installApp(source, parts, { signal, enter: onStage, log: onProgress });
}

/** True when the environment holds the app of a folder exactly as the folder has it. */
export async function isInstalledAsIs({
  folder,
  dataDir,
  venv,
}: Pick<InstallAloneOptions, "dataDir" | "venv"> & { folder: string }): Promise<boolean> {
  const { entryPoints } = await readProject(folder);
  const infos = (await new Catalogue(venv).list()).map(({ info }) => info);
  const installed = await new Records(dataDir).complete(infos);
  const revision = await digestOf(folder);
  return entryPoints.every(({ key }) => {
    const origin = installed.find(({ name }) => name === key)?.extra.origin as { revision?: string } | undefined;
    return origin?.revision === revision;
  });
}
