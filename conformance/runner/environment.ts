import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { Catalogue, sitePackagesOf } from "../../daemon/apps/catalogue/catalogue.ts";
import type { InstalledApp } from "../../daemon/apps/catalogue/installed-app.ts";
import { localFolder } from "../../daemon/apps/install/folder-source.ts";
import { installAlone } from "../../daemon/apps/install/install-alone.ts";
import { uninstallFrom } from "../../daemon/apps/install/installer.ts";
import { systemClock } from "../../daemon/clock.ts";
import { findUv, prepareVenv, type Step } from "../../daemon/prepare.ts";
import { type ErrorCode, WorkbenchError } from "../../robot/wire/errors.ts";
import type { ImportFacts, InstallFacts } from "../evidence/evidence.ts";
import { type AppUnderTest, appUnderTest } from "./app-under-test.ts";
import { HarnessError, type Host } from "./host.ts";
import { importAlone } from "./import-alone.ts";
import { installInstrument } from "./instrument.ts";
import { copyVenv } from "./own-venv.ts";
import { PACKAGE_FOLDER } from "./package-folder.ts";

/** Refusals of an install that the app has to answer for. */
const THE_APPS: readonly ErrorCode[] = ["app-invalid", "install-failed", "dependency-conflict"];

/**
 * The environment that every certification begins with, nothing in it but the SDK; made once, then kept.
 * @param cache where it is kept
 * @throws WorkbenchError `python-missing`, `index-unreachable`, `install-failed`
 */
export function cleanEnvironment(cache: string, host: Host, step: Step): Promise<string> {
  const { env, signal } = host;
  return prepareVenv({ dataDir: cache, sdkFolder: join(PACKAGE_FOLDER, "sdk"), env, step, signal });
}

const NOT_IMPORTED: ImportFacts = { error: "it could not be installed", effects: [] };

/** An environment with one app in it, and how that went. `app` is null when it could not be installed. */
export interface Installation {
  venv: string;
  app: AppUnderTest | null;
  facts: InstallFacts;
  imports: ImportFacts;
}

/**
 * Installs an app into a copy of the clean environment, and takes it out of another copy again.
 * @param folder the app's
 * @param into a folder for all that comes of it
 * @throws HarnessError when the installing failed for other reasons than the app's
 */
export async function installApart(clean: string, folder: string, into: string, host: Host): Promise<Installation> {
  const venv = join(into, "venv");
  await mkdir(into, { recursive: true });
  copyVenv(clean, venv);
  const parts = { dataDir: into, venv, uv: findUv(host.env), env: host.env, clock: systemClock, signal: host.signal };
  try {
    const { name } = await installAlone(localFolder(folder), { ...parts, onProgress: () => {} });
    const installed = await new Catalogue(venv).find(name);
    const missing = await missingFiles(installed, folder);
    const remains = await remainsOf(installed, venv, join(into, "without"), host);
    const imports = await importAlone(venv, installed.module, join(into, "import"), host);
    await installInstrument(venv);
    return { venv, app: appUnderTest(installed, folder), facts: { refusal: null, missing, remains }, imports };
  } catch (error) {
    host.signal.throwIfAborted();
    if (error instanceof WorkbenchError && THE_APPS.includes(error.code))
      return { venv, app: null, facts: { refusal: error.message, missing: [], remains: [] }, imports: NOT_IMPORTED };
    throw new HarnessError(`the app could not be installed: ${(error as Error).message}`, { cause: error });
  }
}

/** Files of static/ in the source that the installed package does not have. */
async function missingFiles({ module, file }: InstalledApp, folder: string): Promise<string[]> {
  const packageName = module.split(".")[0] ?? "";
  const sources = ["", "src"].map((root) => join(folder, root, packageName, "static"));
  const source = sources.find((path) => existsSync(path));
  if (source === undefined || file === null) return [];
  const files = await readdir(source, { recursive: true, withFileTypes: true });
  const names = files
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
  return names.filter((name) => !existsSync(join(file, "../static", name))).sort();
}

/** What is left of the app in an environment that it was uninstalled from. */
async function remainsOf({ info, module }: InstalledApp, venv: string, scratch: string, host: Host): Promise<string[]> {
  const copy = join(scratch, "venv");
  await mkdir(scratch, { recursive: true });
  copyVenv(venv, copy);
  const run = { clock: systemClock, signal: host.signal, onLine: () => {}, scratch };
  await uninstallFrom({ venv: copy, uv: findUv(host.env), env: host.env }, String(info.extra.distribution), run);
  const folders = await sitePackagesOf(copy);
  return folders
    .map((folder) => join(folder, module.split(".")[0] ?? ""))
    .filter((folder) => existsSync(folder))
    .map((folder) => relative(copy, folder));
}
