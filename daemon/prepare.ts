import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { AppInfo } from "../robot/wire/apps.ts";
import { ensureAppsVenv, hasSdk } from "./apps/install/apps-venv.ts";
import { localFolder } from "./apps/install/folder-source.ts";
import { type InstallAloneOptions, installAlone, isInstalledAsIs } from "./apps/install/install-alone.ts";
import type { AppSource } from "./apps/install/source.ts";
import { stagingIn } from "./apps/install/staging.ts";
import { isUnfinished } from "./apps/install/transaction.ts";
import { recoverVenv } from "./apps/install/venv-lock.ts";
import { systemClock } from "./clock.ts";
import { openDataFolder } from "./data-folder/data-folder.ts";
import { makeDataDir } from "./data-folder/make.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Shows a named step while it works; `"fresh"` says that there was nothing to do. */
export type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export interface PrepareOptions {
  dataDir: string;
  /** Folder of the apps' Python environment; `apps_venv` in the data folder unless given. */
  venv?: string;
  /** Folder of the Python package robot-sdk. */
  sdkFolder: string;
  env: Environment;
  step: Step;
  /** Calls everything off; nothing half-made is left. */
  signal?: AbortSignal | undefined;
}

const STEP_VENV = "Python environment for apps";

/** The `uv` program when it is on the path, else null: Python's own venv and pip then do its work. */
export function findUv(env: Environment): string | null {
  try {
    execFileSync("uv", ["--version"], { env, stdio: "ignore" });
    return "uv";
  } catch {
    return null;
  }
}

/** Where the apps' Python environment is. */
export const venvOf = ({ dataDir, venv }: Pick<PrepareOptions, "dataDir" | "venv">): string =>
  venv ?? path.join(dataDir, "apps_venv");

/**
 * Makes the apps' Python environment unless it is there, and undoes what a killed program left unfinished. The caller
 * has the data folder. Returns the environment's folder.
 * Throws `usage`, `python-missing`, `install-failed` or `app-busy`; the signal's reason.
 */
export async function prepareVenv(options: PrepareOptions): Promise<string> {
  const { dataDir, sdkFolder, env, step, signal } = options;
  const venv = venvOf(options);
  makeDataDir(dataDir);
  const staging = stagingIn(dataDir);
  if (isUnfinished(venv) || existsSync(staging)) await recoverVenv(venv, staging, systemClock);
  await step(STEP_VENV, async () => {
    const { fresh } = await ensureAppsVenv({
      dataDir,
      venv,
      python: env.ROBOT_PYTHON ?? "python3",
      uv: findUv(env),
      sdkPath: sdkFolder,
      env,
      clock: systemClock,
      ...(signal === undefined ? {} : { signal }),
      onProgress: () => {},
    });
    return fresh ? "fresh" : "made";
  });
  return venv;
}

/**
 * Installs the app of a folder, the ordinary way, unless it is installed just as the folder has it: then nothing is
 * touched, and a daemon may run. Throws as `prepareVenv`, `openDataFolder` and `installAlone`.
 */
export async function prepareApp(options: PrepareOptions & { appFolder: string }): Promise<void> {
  const { dataDir, appFolder, sdkFolder, step, signal = new AbortController().signal } = options;
  const venv = venvOf(options);
  const name = `app ${path.basename(appFolder)}`;
  if ((await hasSdk(venv, sdkFolder)) && (await isInstalledAsIs({ folder: appFolder, dataDir, venv }))) {
    await step(STEP_VENV, async () => "fresh");
    await step(name, async () => "fresh");
    return;
  }
  const use = { doing: "install", url: null, venv } as const;
  const folder = await openDataFolder(dataDir, use, { signal, onWait: () => {} });
  try {
    await installPrepared(localFolder(appFolder), name, { ...options, onProgress: () => {} });
  } finally {
    await folder.close();
  }
}

/** Installs an app into the environment, which is made first. The caller has the data folder. Throws as `prepareApp`. */
export async function installPrepared(
  source: AppSource,
  name: string,
  options: PrepareOptions & Pick<InstallAloneOptions, "onProgress" | "onStage">,
): Promise<AppInfo> {
  const { dataDir, env, step, signal, onProgress, onStage } = options;
  const venv = await prepareVenv(options);
  const where = { dataDir, venv, uv: findUv(env), env, clock: systemClock, onProgress };
  const more = { ...(signal && { signal }), ...(onStage && { onStage }) };
  return step(name, () => installAlone(source, { ...where, ...more }));
}
