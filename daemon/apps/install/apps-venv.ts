import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import { readJson, writeJson } from "../json-file.ts";
import { pythonEnvironment } from "../start/environment.ts";
import { canBuildWith } from "./build-requirements.ts";
import { digestOf } from "./digest.ts";
import { installInto } from "./installer.ts";
import { isSource } from "./project-files.ts";
import { inStaging, stagingIn } from "./staging.ts";
import { runTool } from "./tool.ts";
import { changeVenv, isUnfinished } from "./transaction.ts";
import { venvMark, withVenvLock } from "./venv-lock.ts";

export interface AppsVenvOptions {
  /** Folder for what is needed only while it is made. */
  dataDir: string;
  /** Folder of the environment; `apps_venv` in the data folder unless given. */
  venv?: string;
  /** Program of Python 3.10 or newer that it is made from. */
  python: string;
  /** The `uv` program, or null to use Python's own venv and pip. */
  uv: string | null;
  /** The folder of the Python package `robot-sdk`. */
  sdkPath: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  signal?: AbortSignal;
  onProgress(line: string): void;
}

/** What apps may build with when there is no network: setuptools that make wheels by themselves. */
const BUILD_TOOLS = "setuptools>=77";

/**
 * Makes the apps' Python environment, with `robot-sdk` (and what its web pages need) and setuptools in it; takes no
 * time when it is there already with this SDK. Interrupted at any moment, it is whole after the next call; called off,
 * nothing of a first one is left.
 * @returns the environment's folder, and whether there was anything to do
 * @throws WorkbenchError `python-missing` with what to install, `install-failed`, `app-busy`; the signal's reason
 */
export async function ensureAppsVenv(options: AppsVenvOptions): Promise<{ venv: string; fresh: boolean }> {
  const { dataDir, venv = path.join(dataDir, "apps_venv") } = options;
  const wanted = await digestOf(options.sdkPath);
  if ((await sdkIn(venv)) === wanted) return { venv, fresh: true };
  await withVenvLock(venv, options.clock, async () => {
    const isFirst = (await sdkIn(venv)) === null;
    try {
      if (isFirst) await makeVenv(venv, options);
      await changeVenv(venv, () => installSdk(venv, options));
    } catch (error) {
      if (isFirst) await rm(venv, { recursive: true, force: true });
      throw error;
    }
    await writeJson(stampOf(venv), { sdk: wanted } satisfies z.infer<typeof Stamp>);
  });
  return { venv, fresh: false };
}

const Stamp = z.object({ sdk: z.string() });

/** Written last, so that an environment without it was never finished. */
function stampOf(venv: string): string {
  return path.join(venv, "robot-sdk.json");
}

/** True when an environment is whole and has just this SDK in it. */
export async function hasSdk(venv: string, sdkPath: string): Promise<boolean> {
  return !isUnfinished(venv) && (await sdkIn(venv)) === (await digestOf(sdkPath));
}

/** The digest of the SDK in an environment; null when the environment is not whole or its Python has gone. */
async function sdkIn(venv: string): Promise<string | null> {
  if (!existsSync(path.join(venv, "bin", "python"))) return null;
  return (await readJson(stampOf(venv), Stamp))?.sdk ?? null;
}

async function makeVenv(venv: string, options: AppsVenvOptions): Promise<void> {
  const { python, uv, dataDir, clock, signal } = options;
  options.onProgress(`making the Python environment ${venv}`);
  await checkPython(python, options.env);
  await rm(venv, { recursive: true, force: true });
  const [file, ...args] = uv === null ? [python, "-m", "venv", venv] : [uv, "venv", "--seed", "--python", python, venv];
  const command = { file: file as string, args, cwd: dataDir, env: pythonEnvironment(options.env) };
  await runTool(command, venvMark(venv), { clock, signal, onLine: options.onProgress });
}

async function checkPython(python: string, env: AppsVenvOptions["env"]): Promise<void> {
  const probe = "import sys, venv, ensurepip; print(sys.version_info >= (3, 10))";
  const { stdout } = await promisify(execFile)(python, ["-c", probe], { env: pythonEnvironment(env) }).catch(
    (error: Error & { code?: unknown }) => {
      const what = error.code === "ENOENT" ? `There is no program ${python}` : `${python} has no venv module`;
      throw new WorkbenchError("python-missing", `${what}: install it with "apt install python3 python3-venv".`);
    },
  );
  if (stdout.trim() === "True") return;
  throw new WorkbenchError("python-missing", `${python} is too old: apps need Python 3.10 or newer.`);
}

async function installSdk(venv: string, options: AppsVenvOptions): Promise<void> {
  const { sdkPath, clock, signal, onProgress } = options;
  await inStaging(stagingIn(options.dataDir), async (scratch) => {
    const sdk = path.join(scratch, "robot-sdk");
    await cp(sdkPath, sdk, { recursive: true, filter: (file) => isSource(path.relative(sdkPath, file)) });
    const run = { clock, signal, onLine: onProgress, scratch, again: "robot-sdk" };
    const ready = await canBuildWith(venv, [BUILD_TOOLS]);
    if (!ready) await installInto({ ...options, venv }, { ...run, what: [BUILD_TOOLS], isolated: true });
    await installInto({ ...options, venv }, { ...run, what: [`${sdk}[web]`], isolated: false });
  });
}
