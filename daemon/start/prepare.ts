import { existsSync } from "node:fs";
import path from "node:path";
import { cancelSignalOption, loadExeca, PROGRAM_ANSWER_MS } from "../../common/machine/load-execa.ts";
import { systemClock } from "../../common/time/clock.ts";
import { sameName } from "../../robot/wire/apps/app-search.ts";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { EXAMPLE } from "../apps/catalogue/example-app.ts";
import { InstalledApps } from "../apps/catalogue/installed-apps.ts";
import { OriginRecords } from "../apps/catalogue/origin-records.ts";
import { ownVenvsIn } from "../apps/catalogue/own-venvs.ts";
import {
  type AppsVenvOptions,
  ensureAppsVenv,
  isComplete,
  isSdkUpToDate,
} from "../apps/install/environment/apps-venv.ts";
import { hasUnfinishedChange } from "../apps/install/environment/transaction.ts";
import { recoverVenv } from "../apps/install/environment/venv-lock.ts";
import { localFolder } from "../apps/install/fetch/folder-source.ts";
import type { AppSource } from "../apps/install/fetch/source.ts";
import { stagingFolderIn } from "../apps/install/fetch/staging.ts";
import type { EnvironmentChoice } from "../apps/install/install-app.ts";
import {
  type InstallWithoutDaemonOptions,
  installWithoutDaemon,
  isInstalledAsIs,
} from "../apps/install/install-without-daemon.ts";
import type { Command } from "../apps/start/app-command.ts";
import { pythonEnvironment } from "../apps/start/python-environment.ts";
import { openDataFolder } from "../data-folder/data-folder.ts";
import { ensureDataDir } from "../files/data-dir.ts";
import { withSystemCode } from "../files/system-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a step and shows its name to a person; the result `"unchanged"` says that there was nothing to do. */
export type RunStep = <T>(name: string, work: () => Promise<T>) => Promise<T>;

interface PrepareOptions
  extends Pick<AppsVenvOptions, "dataDir" | "venv" | "env" | "onRenamed">,
    Pick<InstallWithoutDaemonOptions, "reader"> {
  /** The wheel of the Python package robot-sdk, or the folder of its project; see `sdkSourceIn`. */
  sdkFolder: string;
  step: RunStep;
  /** Cancels the preparation; nothing incomplete is left. */
  signal?: AbortSignal | undefined;
}

const ENVIRONMENT_STEP = "Python environment for apps";

/**
 * The `uv` program when it is on the path and starts; null otherwise, for Python's own venv and pip.
 * @param confine turns its command into the one that will be used, for example in a sandbox; its working folder is /
 */
export async function findUv(
  env: Environment,
  confine: (command: Command) => Command = (command) => command,
  signal?: AbortSignal,
): Promise<string | null> {
  const { file, args, ...command } = confine({
    file: "uv",
    args: ["--version"],
    cwd: "/",
    env: pythonEnvironment(env),
  });
  const execa = await loadExeca();
  const { failed } = await execa(file, args, {
    ...command,
    extendEnv: false,
    stdio: "ignore",
    timeout: PROGRAM_ANSWER_MS,
    ...cancelSignalOption(signal),
    reject: false,
  });
  signal?.throwIfAborted();
  return failed ? null : "uv";
}

/** The folder of the apps' Python environment. */
const venvOf = ({ dataDir, venv }: Pick<PrepareOptions, "dataDir" | "venv">): string =>
  venv ?? path.join(dataDir, "apps_venv");

/**
 * Creates the apps' Python environment unless it exists, and rolls back what a killed program left unfinished. The caller
 * has opened the data folder.
 * @returns the environment's folder
 * @throws WorkbenchError `usage`, `python-missing`, `install-failed` or `app-busy`; the signal's reason
 */
export async function prepareAppsEnvironment(options: PrepareOptions): Promise<string> {
  const { dataDir, sdkFolder, env, step, signal, onRenamed } = options;
  const venv = venvOf(options);
  ensureDataDir(dataDir);
  const staging = stagingFolderIn(dataDir);
  if (hasUnfinishedChange(venv) || existsSync(staging)) await recoverVenv(venv, staging, systemClock);
  const ensure = async (folder: string, python: string) => {
    const place = { dataDir, venv: folder, python, uv: await findUv(env), sdkPath: sdkFolder, env };
    return ensureAppsVenv({ ...place, clock: systemClock, signal, onProgress: () => {}, onRenamed });
  };
  await step(ENVIRONMENT_STEP, async () => {
    const { upToDate } = await ensure(venv, env.ROBOT_PYTHON ?? "python3");
    return upToDate ? "unchanged" : "created";
  });
  for (const own of await ownVenvsIn(dataDir)) {
    if (!(await isComplete(own)) || (await isSdkUpToDate(own, sdkFolder))) continue;
    await step(`environment of ${path.basename(own)}`, () => ensure(own, path.join(own, "bin", "python")));
  }
  return venv;
}

/**
 * Like `prepareAppsEnvironment`, for a daemon: an environment that cannot be updated, on a full disk for instance, is used
 * as it is.
 * @returns the environment's folder, and what a person should know: why it was not updated, or that it was replaced (null
 *   when it is up to date)
 */
export async function prepareEnvironmentOrKeep(
  options: Omit<PrepareOptions, "onRenamed">,
): Promise<{ venv: string; problem: string | null }> {
  const problems: string[] = [];
  const onRenamed = (text: string): void => void problems.push(text);
  try {
    const venv = await prepareAppsEnvironment({ ...options, onRenamed });
    return { venv, problem: problems[0] ?? null };
  } catch (thrown) {
    options.signal?.throwIfAborted();
    const error = withSystemCode(thrown);
    const venv = venvOf(options);
    const isUpdate = error instanceof WorkbenchError && error.code !== "app-busy" && (await isComplete(venv));
    if (!isUpdate) throw error;
    problems.push(`The apps' Python environment could not be updated: ${error.message} The daemon uses it as it was.`);
    return { venv, problem: problems.join(" ") };
  }
}

/**
 * Installs the app of a folder, unless it is installed exactly as the folder has it: then nothing is touched, and a
 * daemon may run.
 * @throws WorkbenchError `data-folder-in-use` while a daemon uses the data folder; why the environment cannot be created or
 *   the app not be installed; the signal's reason
 */
export async function prepareApp(options: PrepareOptions & { appFolder: string }): Promise<void> {
  const { dataDir, appFolder, sdkFolder, step, signal = new AbortController().signal } = options;
  const venv = venvOf(options);
  const name = `app ${path.basename(appFolder)}`;
  if ((await isSdkUpToDate(venv, sdkFolder)) && (await isInstalledAsIs({ folder: appFolder, dataDir, venv }))) {
    await step(ENVIRONMENT_STEP, async () => "unchanged");
    await step(name, async () => "unchanged");
    return;
  }
  const use = { doing: "install", url: null, venv } as const;
  const folder = await openDataFolder(dataDir, use, { signal, onWait: () => {} });
  try {
    await prepareAndInstall(localFolder(appFolder), name, { ...options, onProgress: () => {} });
  } finally {
    await folder.close();
  }
}

/**
 * Installs an app, into an environment that is created first where there is none. The caller has opened the data folder.
 * @throws WorkbenchError why the environment cannot be created or the app not be installed, for example `python-missing`,
 *   `app-invalid`, `dependency-conflict`, `index-unreachable`, `disk-full`, `app-busy`; the signal's reason
 */
export async function prepareAndInstall(
  source: AppSource,
  name: string,
  options: PrepareOptions & EnvironmentChoice & Pick<InstallWithoutDaemonOptions, "onProgress" | "onStage">,
): Promise<AppInfo> {
  const { dataDir, sdkFolder, env, step, signal, isolated, onProgress, onStage, reader } = options;
  const venv = await prepareAppsEnvironment(options);
  const where = { dataDir, venv, uv: await findUv(env), sdkPath: sdkFolder, env, clock: systemClock };
  return step(name, () =>
    installWithoutDaemon(source, { ...where, reader, signal, onProgress, onStage }, { isolated }),
  );
}

/**
 * Installs the package's example app when it is the startup app and not installed yet: a first start needs no hub.
 * The caller has opened the data folder.
 * @throws WorkbenchError `usage`, `python-missing`, `install-failed`, `app-busy`, `disk-full`; the signal's reason
 */
export async function installExample(
  startupApp: string | null,
  packageDir: string,
  options: PrepareOptions & { venv: string },
): Promise<void> {
  if (startupApp === null || !sameName(startupApp, EXAMPLE)) return;
  const { venv, dataDir } = options;
  const installed = await new InstalledApps(venv, new OriginRecords(venv, dataDir), dataDir).list();
  if (installed.some(({ info }) => sameName(info.name, EXAMPLE))) return;
  const folder = path.join(packageDir, "fixtures/apps", EXAMPLE);
  await prepareAndInstall(localFolder(folder), `app ${EXAMPLE}`, { ...options, onProgress: () => {} });
}
