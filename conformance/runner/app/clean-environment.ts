import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../../common/files/sha256.ts";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { removeTree } from "../../../common/machine/remove-tree.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { sdkSourceIn } from "../../../daemon/apps/install/environment/sdk-source.ts";
import { withVenvLock } from "../../../daemon/apps/install/environment/venv-lock.ts";
import { installInto } from "../../../daemon/apps/install/tools/installer.ts";
import { runPython } from "../../../daemon/apps/start/run-python.ts";
import { ensureDataDir } from "../../../daemon/files/data-dir.ts";
import { readJson, writeJson } from "../../../daemon/files/json-file.ts";
import { findUv, prepareAppsEnvironment, type RunStep } from "../../../daemon/start/prepare.ts";
import type { Host } from "../host.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** In the environment: the digest of all other files, as they were when it was made. */
const DIGEST_FILE = ".files.json";
/** Time to compile all modules of the environment. */
const COMPILE_MS = 180_000;
/** Days that a public SDK stays as it was installed; the index may have a newer one then. */
const SDK_DAYS = 7;
const DAY_MS = 86_400_000;
const Made = z.object({ files: z.string(), madeAt: z.number() });

/**
 * Makes the environment that every certification copies: the SDK and nothing else. Made once, then used again as long as all
 * of its files are as they were made; otherwise it is made anew. Compiled: each certification would compile its copy
 * otherwise, and an app that is imported must not write.
 * @param cache the folder that holds it
 * @param publicSdk the distribution of another dialect's SDK, which is installed besides; made anew after 7 days
 * @throws WorkbenchError `python-missing`, `index-unreachable`, `install-failed`
 */
export async function cleanEnvironment(
  cache: string,
  host: Host,
  step: RunStep,
  publicSdk: string | null = null,
): Promise<string> {
  const { env, signal } = host;
  const folder = join(cache, "apps_venv");
  ensureDataDir(cache);
  const prepare = async () => {
    const before = await removeUnlessAsMade(folder, publicSdk === null ? null : host.now() - SDK_DAYS * DAY_MS);
    const venv = await prepareAppsEnvironment({
      dataDir: cache,
      sdkFolder: sdkSourceIn(PACKAGE_FOLDER),
      // Its files must not be those of the cache of uv, which other programs use.
      env: { ...env, UV_COMPILE_BYTECODE: "1", UV_LINK_MODE: "copy" },
      step,
      signal,
      onRenamed: () => {}, // it has no apps
    });
    const isAsBefore = before !== null && (await sdkOf(venv)) === before.sdk;
    if (isAsBefore) return venv;
    if (publicSdk !== null) await installPublicSdk(publicSdk, venv, host);
    await compile(venv, host);
    const madeAt = before?.madeAt ?? host.now();
    await writeJson(join(venv, DIGEST_FILE), { files: digestOfTree(venv), madeAt } satisfies z.infer<typeof Made>);
    return venv;
  };
  // One program at a time, also where several caches lead to the environment: another one would find files without their
  // digest.
  const place = existsSync(folder) ? dirname(await realpath(folder)) : cache;
  const venv = await whileUnchanged(place, signal, prepare);
  // The sandbox of an install shows it by its own path, which files in it name.
  return realpath(venv);
}

/** Installs another SDK, with the same constraints as an app that brings it. */
async function installPublicSdk(distribution: string, venv: string, { env, signal }: Host): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "robot-sdk-"));
  try {
    const parts = { venv, uv: await findUv(env, undefined, signal), env: { ...env, UV_LINK_MODE: "copy" } };
    const run = { clock: systemClock, signal, onLine: () => {}, scratch };
    await installInto(parts, { ...run, packages: [distribution], reinstall: distribution, isolated: true });
  } finally {
    await removeTree(scratch);
  }
}

/** Compiles all modules, so that no Python that runs there later writes a file. Those of another Python's syntax stay as they are. */
async function compile(venv: string, { env, signal }: Host): Promise<void> {
  const args = ["-I", "-m", "compileall", "-q", ...(await sitePackagesOf(venv))];
  await runPython(join(venv, "bin/python"), args, { env, signal, timeoutMs: COMPILE_MS });
}

/**
 * Copies the clean environment when no other program makes it; the copy looks like any other one.
 * @throws the signal's reason
 */
export async function copyCleanEnvironment(clean: string, to: string, signal: AbortSignal): Promise<void> {
  await whileUnchanged(dirname(clean), signal, async () => copyTree(clean, to));
  await rm(join(to, DIGEST_FILE), { force: true });
}

/** Does work on the clean environment in a folder while no other program makes or copies it. */
function whileUnchanged<T>(place: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return retryWhileBusy(() => withVenvLock(join(place, "clean"), systemClock, work), systemClock, signal);
}

/**
 * Removes an environment that was changed since it was made, or made before a time in Unix milliseconds. Returns what is
 * known of it; null when there is none.
 */
async function removeUnlessAsMade(
  folder: string,
  notBefore: number | null,
): Promise<{ madeAt: number; sdk: string | null } | null> {
  if (!existsSync(folder)) return null;
  const made = await readJson(join(folder, DIGEST_FILE), Made);
  if (made !== null && made.madeAt >= (notBefore ?? 0) && made.files === digestOfTree(folder))
    return { madeAt: made.madeAt, sdk: await sdkOf(folder) };
  for (const name of await readdir(folder)) await removeTree(join(folder, name));
  return null;
}

const sdkOf = (venv: string): Promise<string | null> =>
  readFile(join(venv, "robot-sdk.json"), "utf8").catch(() => null);

/**
 * A digest of all files of a folder with their rights, and of the targets of its links. Blocks for about 50 ms for each 1,000
 * files; asynchronous calls would take four times the processor time.
 */
function digestOfTree(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== join(folder, DIGEST_FILE))
    .sort();
  const hash = createHash("sha256");
  for (const path of paths) {
    const status = lstatSync(path);
    const content = status.isSymbolicLink() ? readlinkSync(path) : sha256(readFileSync(path));
    hash.update(`${path.slice(folder.length)}\0${status.mode}\0${content}\0`);
  }
  return hash.digest("hex");
}
