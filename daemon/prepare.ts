import { execFileSync } from "node:child_process";
import { systemClock } from "./apps/clock.ts";
import type { HubOptions } from "./apps/hub/hub.ts";
import { Hub } from "./apps/hub/hub.ts";
import { ensureAppsVenv } from "./apps/install/apps-venv.ts";
import { localFolder } from "./apps/install/folder-source.ts";
import { installAlone, isInstalledAsIs } from "./apps/install/install-alone.ts";
import { sourceOf } from "./apps/install/source-of.ts";
import { makeDataDir } from "./data-dir.ts";

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
}

/** The `uv` program when it is on the path, else null: Python's own venv and pip then do its work. */
export function findUv(env: Environment): string | null {
  try {
    execFileSync("uv", ["--version"], { env, stdio: "ignore" });
    return "uv";
  } catch {
    return null;
  }
}

/**
 * Makes the apps' Python environment unless it is there. Returns its folder.
 * Throws `usage`, `python-missing`, `install-failed` or `app-busy`.
 */
export async function prepareVenv({ dataDir, venv: wanted, sdkFolder, env, step }: PrepareOptions): Promise<string> {
  makeDataDir(dataDir);
  let folder = "";
  await step("Python environment for apps", async () => {
    const { venv, fresh } = await ensureAppsVenv({
      dataDir,
      ...(wanted === undefined ? {} : { venv: wanted }),
      python: env.ROBOT_PYTHON ?? "python3",
      uv: findUv(env),
      sdkPath: sdkFolder,
      env,
      clock: systemClock,
      onProgress: () => {},
    });
    folder = venv;
    return fresh ? "fresh" : "made";
  });
  return folder;
}

/** Installs the app of a folder, the ordinary way, unless it is installed just as the folder has it. */
export async function prepareApp(options: PrepareOptions & { appFolder: string }): Promise<void> {
  const { dataDir, appFolder, env, step } = options;
  const venv = await prepareVenv(options);
  await step(`app ${appFolder.split("/").at(-1)}`, async () => {
    if (await isInstalledAsIs({ folder: appFolder, dataDir, venv })) return "fresh";
    const where = { dataDir, venv, uv: findUv(env), env, clock: systemClock, onProgress: () => {} };
    await installAlone(localFolder(appFolder), where);
    return "installed";
  });
}

/**
 * Installs what a person names on the command line, the address of a space or a folder, and shows the tools' lines.
 * Throws as `sourceOf` and `installAlone`.
 */
export async function installNamed(
  options: PrepareOptions & { source: string; hub: HubOptions; onProgress: (line: string) => void },
): Promise<void> {
  const { dataDir, source, env, step, onProgress } = options;
  const from = sourceOf(source, new Hub(options.hub));
  const venv = await prepareVenv(options);
  await step(`app ${source}`, async () => {
    await installAlone(from, { dataDir, venv, uv: findUv(env), env, clock: systemClock, onProgress });
    return "installed";
  });
}
