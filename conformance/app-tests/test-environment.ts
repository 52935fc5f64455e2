import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../common/files/sha256.ts";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { removeTree } from "../../common/machine/remove-tree.ts";
import { systemClock } from "../../common/time/clock.ts";
import { digestOfSdk, sdkSourceIn } from "../../daemon/apps/install/environment/sdk-source.ts";
import { withVenvLock } from "../../daemon/apps/install/environment/venv-lock.ts";
import { installInto } from "../../daemon/apps/install/tools/installer.ts";
import { ensureDataDir } from "../../daemon/files/data-dir.ts";
import { readJson, writeJson } from "../../daemon/files/json-file.ts";
import { findUv, prepareAppsEnvironment, type RunStep } from "../../daemon/start/prepare.ts";
import { retryWhileBusy } from "../runner/app/retry-while-busy.ts";
import type { Host } from "../runner/host.ts";
import { PYTEST, TEST_EXTRA } from "./pytest.ts";

/** Folders that are not copied: a build does not need them, and they may be large. */
const NOT_COPIED = new Set([".git", ".venv", "venv", "node_modules", "__pycache__", "build", "certification"]);
/** Written beside an environment once it is complete: the digest of what it was made from. */
const Stamp = z.object({ made: z.string() });

interface TestEnvironmentOptions {
  /** The app's folder, with a pyproject.toml. */
  app: string;
  /** Name of the app's distribution. */
  name: string;
  /** Folder of the environments of all apps. */
  cache: string;
  host: Host;
  step: RunStep;
}

/**
 * Makes the Python environment in which an app's tests run: what the app needs, with its extra `test`, the SDK and pytest.
 * It is reused until the app's pyproject.toml or the SDK changes.
 * @returns the path of its Python
 * @throws WorkbenchError `python-missing`, `index-unreachable`, `install-failed`
 */
export async function testEnvironment({ app, name, cache, host, step }: TestEnvironmentOptions): Promise<string> {
  const folder = join(cache, sha256(app).slice(0, 16));
  const venv = join(folder, "apps_venv");
  const python = join(venv, "bin/python");
  const sdkFolder = sdkSourceIn(PACKAGE_FOLDER);
  const made = sha256(`${await readFile(join(app, "pyproject.toml"), "utf8")}\0${await digestOfSdk(sdkFolder)}`);
  const stamp = join(folder, "made.json");
  const isMade = async () => existsSync(python) && (await readJson(stamp, Stamp))?.made === made;
  if (await isMade()) return python;
  ensureDataDir(folder, "set XDG_DATA_HOME to a folder that you can write to");
  const { env, signal } = host;
  const prepare = async () => {
    if (await isMade()) return;
    // The app is installed again in any case.
    const onRenamed = (): void => {};
    await prepareAppsEnvironment({ dataDir: folder, sdkFolder, env, step, signal, onRenamed });
    await step(`What ${name} and its tests need`, () => install(app, name, venv, host));
    await writeJson(stamp, { made } satisfies z.infer<typeof Stamp>);
  };
  await retryWhileBusy(() => withVenvLock(join(folder, "tests"), systemClock, prepare), systemClock, signal);
  return python;
}

/** Installs the app from a copy of its folder: a build writes into the folder that it builds. */
async function install(app: string, name: string, venv: string, { env, signal }: Host): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "robot-app-tests-"));
  try {
    const copy = join(scratch, "app");
    await cp(app, copy, { recursive: true, filter: (path) => path === app || !NOT_COPIED.has(basename(path)) });
    const parts = { venv, uv: await findUv(env, undefined, signal), env };
    const run = { clock: systemClock, signal, onLine: () => {}, scratch };
    await installInto(parts, { ...run, packages: [`${copy}[${TEST_EXTRA}]`, PYTEST], reinstall: name, isolated: true });
  } finally {
    await removeTree(scratch);
  }
}
