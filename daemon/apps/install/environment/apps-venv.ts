import { existsSync } from "node:fs";
import { realpath, rename } from "node:fs/promises";
import path from "node:path";
import { installHint } from "../../../../common/machine/install-hint.ts";
import { shellQuote } from "../../../../common/machine/own-command.ts";
import { packageIndexProblem } from "../../../../common/machine/package-index.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { InstalledApps } from "../../catalogue/installed-apps.ts";
import { pythonEnvironment } from "../../start/python-environment.ts";
import { askPython } from "../../start/run-python.ts";
import { stagingFolderIn, withStagingFolder } from "../fetch/staging.ts";
import { installInto } from "../tools/installer.ts";
import { runTool } from "../tools/run-tool.ts";
import {
  emptyForCreation,
  mayReplaceVenv,
  notReplaceableError,
  readVenvStamp,
  removeCreatedVenv,
  writeSdkStamp,
} from "./environment-stamp.ts";
import { hasBuildRequirements, installedDistributions, isIntact } from "./installed-distributions.ts";
import { hasSdkConstraint, otherPipSettings } from "./sdk-constraint.ts";
import { digestOfSdk } from "./sdk-source.ts";
import { provideSdkWheel } from "./sdk-wheel.ts";
import { changeVenv, hasUnfinishedChange } from "./transaction.ts";
import { installRunId, withVenvLock } from "./venv-lock.ts";

export interface AppsVenvOptions {
  /** Folder for temporary files. */
  dataDir: string;
  /** Folder of the environment; `apps_venv` in the data folder unless given. */
  venv?: string;
  /** Program of Python 3.10 or newer that the environment is created with. */
  python: string;
  /** The `uv` program, or null to use Python's own venv and pip. */
  uv: string | null;
  /** The wheel of the Python package `robot-sdk`, or the folder of its project; see `sdkSourceIn`. */
  sdkPath: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  signal?: AbortSignal | undefined;
  onProgress(line: string): void;
  /** Milliseconds in which a Python starts and answers; a minute unless given. */
  answerMs?: number | undefined;
  /** Is called with a text for a person when an environment with apps in it was renamed and a new one created. */
  onRenamed(text: string): void;
}

/** A setuptools that builds wheels by itself, for apps that are built without a network. */
const BUILD_TOOLS = "setuptools>=77";
/** Time for `python -m venv`, which installs pip, on a slow SD card. */
const CREATE_TIMEOUT_MS = 5 * 60_000;

/**
 * Creates the apps' Python environment with `robot-sdk` (and what its web pages need) and setuptools in it; does nothing
 * when it exists with this SDK. Can be interrupted at any moment: the next call completes it. When the first creation
 * fails or is cancelled, nothing of it is left. An environment with apps in it is never deleted: when its Python is gone, it
 * is renamed, and `onRenamed` tells its new name. An environment of somebody else gets the SDK and is never replaced; a folder
 * with other files is refused.
 * @returns the environment's folder, and whether it was up to date already
 * @throws WorkbenchError `python-missing` with what to install, also for an environment of somebody else whose Python is gone;
 *   `install-failed`, `index-unreachable`, `app-busy`, `usage` for a folder with other files; the signal's reason
 */
export async function ensureAppsVenv(options: AppsVenvOptions): Promise<{ venv: string; upToDate: boolean }> {
  const { dataDir, venv = path.join(dataDir, "apps_venv") } = options;
  const sdk = await digestOfSdk(options.sdkPath);
  if (await isUpToDate(venv, sdk)) return { venv, upToDate: true };
  const upToDate = await withVenvLock(venv, options.clock, async () => {
    // Another program may have updated it meanwhile, and use it by now.
    if (await isUpToDate(venv, sdk)) return true;
    if ((await sdkIn(venv)) === null && !(await canRepair(venv, options))) await createWithSdk(venv, options);
    else await changeVenv(venv, () => installSdk(venv, options));
    await writeSdkStamp(venv, sdk);
    return false;
  });
  return { venv, upToDate };
}

/** Creates an environment with the SDK in the place of one that may be replaced, completely or not at all. */
async function createWithSdk(venv: string, options: AppsVenvOptions): Promise<void> {
  await checkPython(options);
  const kept = await keepApps(venv, options);
  try {
    await emptyForCreation(venv, options.dataDir, kept?.folder);
    await createVenvWithNetwork(venv, options);
    await changeVenv(venv, () => installSdk(venv, options));
  } catch (error) {
    await removeCreatedVenv(venv);
    if (kept !== null) await rename(kept.folder, venv);
    throw error;
  }
  if (kept !== null) options.onRenamed(kept.text);
}

/** True when an environment was created completely and no change of it is unfinished. */
export async function isComplete(venv: string): Promise<boolean> {
  return !hasUnfinishedChange(venv) && (await sdkIn(venv)) !== null;
}

/** True when an environment is complete and contains exactly this SDK. */
export async function isSdkUpToDate(venv: string, sdkPath: string): Promise<boolean> {
  return !hasUnfinishedChange(venv) && (await isUpToDate(venv, await digestOfSdk(sdkPath)));
}

/** The digest of the SDK in an environment; null when the environment is incomplete or its Python is gone. */
async function sdkIn(venv: string): Promise<string | null> {
  if (!(await hasItsPython(venv))) return null;
  return (await readVenvStamp(venv)).sdk ?? null;
}

/**
 * Whether the Python of an environment is there and of the version that the environment was created for: where the system's
 * Python was updated, for example from 3.11 to 3.12, `bin/python` leads to one that finds none of the packages.
 */
async function hasItsPython(venv: string): Promise<boolean> {
  const program = await realpath(path.join(venv, "bin", "python")).catch(() => null);
  if (program === null) return false;
  const [version] = /^python3\.\d+/.exec(path.basename(program)) ?? [];
  // A program without its version in its name says nothing about it.
  return version === undefined || existsSync(path.join(venv, "lib", version));
}

/**
 * True when an environment is complete and contains exactly this SDK, none of its files replaced or missing, and pip takes
 * no other.
 */
async function isUpToDate(venv: string, digest: string): Promise<boolean> {
  if ((await sdkIn(venv)) !== digest || !(await hasSdkConstraint(venv))) return false;
  const sdk = (await installedDistributions(venv)).find(({ name }) => name === "robot-sdk");
  return sdk !== undefined && (await isIntact(sdk));
}

/**
 * Whether an incomplete environment has apps, or is somebody else's, and has a Python with pip, so that it only needs the SDK.
 * @throws WorkbenchError `python-missing` when its Python does not answer: a slow one is not gone; `python-missing` or `usage`
 *   for one of somebody else that cannot be repaired
 */
async function canRepair(venv: string, options: AppsVenvOptions): Promise<boolean> {
  const { env, signal, answerMs: timeoutMs } = options;
  const isReplaceable = await mayReplaceVenv(venv, options.dataDir);
  if (isReplaceable && (await new InstalledApps(venv).list()).length === 0) return false;
  if (!isReplaceable && !(await hasItsPython(venv))) throw notReplaceableError(venv);
  const python = path.join(venv, "bin/python");
  const args = ["-m", "pip", "--version"];
  const { failed, exitCode, stderr } = await askPython(python, args, { env, signal, timeoutMs });
  if (failed && !isReplaceable) {
    if (exitCode === undefined) throw notReplaceableError(venv);
    const next = `Name a new or empty folder, or run: ${shellQuote(python)} -m ensurepip`;
    throw new WorkbenchError("usage", `${venv} has no pip that runs (${stderr.trim().split("\n").at(-1)}). ${next}`);
  }
  return !failed;
}

/**
 * Renames an environment with apps in it whose Python does not run. One that a killed creation has renamed before anybody was
 * told counts as well.
 * @returns its new name, and a text about that for a person; null when there are no apps
 */
async function keepApps(venv: string, options: AppsVenvOptions): Promise<{ folder: string; text: string } | null> {
  const { renamed } = await readVenvStamp(venv);
  const folder = renamed ?? `${venv}-${new Date(options.clock.unixTime()).toISOString().replace(/\W/g, "-")}`;
  const apps = (await new InstalledApps(renamed ?? venv).list()).map(({ info }) => info.name);
  if (apps.length === 0) return null;
  if (renamed === undefined) await rename(venv, folder);
  const names = apps.length === 1 ? `its app ${apps[0]}` : `its apps ${apps.join(", ")}`;
  const text = `The Python of the apps' environment does not run any more, so a new environment was created. Install ${names} again; the old environment is ${folder}.`;
  return { folder, text };
}

/**
 * Creates the empty environment, and stops as soon as it is known that pip cannot fill it: without a network a person would
 * wait for both. `uv` fetches pip first and says so itself, unless it has it in its cache.
 * @throws WorkbenchError `index-unreachable`
 */
async function createVenvWithNetwork(venv: string, options: AppsVenvOptions): Promise<void> {
  if (options.uv !== null) return createVenv(venv, options);
  const { env, clock, signal } = options;
  const created = new AbortController();
  const unreachable = new AbortController();
  void packageIndexProblem({ env, clock, signal: created.signal }).then((problem) => {
    if (problem === null) return;
    const text = `The package index does not answer (${problem}); check the network and try again.`;
    unreachable.abort(new WorkbenchError("index-unreachable", text));
  });
  const signals = [unreachable.signal, ...(signal === undefined ? [] : [signal])];
  await createVenv(venv, { ...options, signal: AbortSignal.any(signals) }).finally(() => created.abort());
}

async function createVenv(venv: string, options: AppsVenvOptions): Promise<void> {
  const { python, uv, dataDir, clock, signal } = options;
  options.onProgress(`creating the Python environment ${venv}`);
  const [file, args] =
    uv === null
      ? [python, ["-m", "venv", venv]]
      : [uv, ["venv", "--seed", "--allow-existing", "--python", python, venv]];
  const command = { file, args, cwd: dataDir, env: pythonEnvironment(options.env) };
  const tool = { ...command, python, runId: installRunId(venv), timeoutMs: CREATE_TIMEOUT_MS };
  await runTool(tool, { clock, signal, onLine: options.onProgress });
}

async function checkPython({ python, env, signal, answerMs: timeoutMs }: AppsVenvOptions): Promise<void> {
  const script = "import sys, venv, ensurepip; print(sys.version_info >= (3, 10))";
  const result = await askPython(python, ["-c", script], { env, signal, timeoutMs });
  if (result.failed) {
    const why =
      result.code === "ENOENT"
        ? `There is no program ${python}`
        : result.exitCode === undefined
          ? `${python} does not run (${result.code})`
          : `${python} has no venv module`;
    throw new WorkbenchError("python-missing", `${why}: ${installHint("python")}. ROBOT_PYTHON names another Python.`);
  }
  if (result.stdout.trim() === "True") return;
  throw new WorkbenchError("python-missing", `${python} is too old: apps need Python 3.10 or newer.`);
}

/** What it takes to install the SDK. */
type InstallSdkOptions = Pick<
  AppsVenvOptions,
  "dataDir" | "uv" | "sdkPath" | "env" | "clock" | "signal" | "onProgress"
>;

/**
 * Installs the SDK anew, and setuptools unless it is there. The caller holds the environment's lock.
 * @throws WorkbenchError `usage` before anything is installed for settings of pip that the SDK's do not fit; `install-failed`,
 *   `index-unreachable`
 */
export async function installSdk(venv: string, options: InstallSdkOptions): Promise<void> {
  const { sdkPath, clock, signal, onProgress } = options;
  const parts = { ...options, venv };
  await otherPipSettings(venv);
  await withStagingFolder(stagingFolderIn(options.dataDir), async (scratch) => {
    const run = { clock, signal, onLine: onProgress, scratch };
    const hasBuildTools = await hasBuildRequirements(venv, [BUILD_TOOLS]);
    const isWheel = sdkPath.endsWith(".whl");
    const install = { ...run, reinstall: "robot-sdk", isolated: isWheel };
    const tools = hasBuildTools ? [] : [BUILD_TOOLS];
    // A project is built with these tools; a wheel and they are installed by one run, which is faster.
    const first = isWheel ? [] : tools;
    if (first.length > 0) await installInto(parts, { ...install, packages: first, isolated: true });
    const sdk = await provideSdkWheel(sdkPath, parts, run);
    const packages = [...(first.length > 0 ? [] : tools), sdk];
    await installInto(parts, { ...install, packages, compileInParallel: true });
  });
}
