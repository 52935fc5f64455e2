import { existsSync } from "node:fs";
import { mkdir, readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { systemClock } from "../../../common/time/clock.ts";
import type { InstalledApp } from "../../../daemon/apps/catalogue/installed-app.ts";
import { InstalledApps, sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { sdkSourceIn } from "../../../daemon/apps/install/environment/sdk-source.ts";
import { localFolder } from "../../../daemon/apps/install/fetch/folder-source.ts";
import { installWithoutDaemon } from "../../../daemon/apps/install/install-without-daemon.ts";
import { type InstallerParts, uninstallFrom } from "../../../daemon/apps/install/tools/installer.ts";
import type { ToolRun } from "../../../daemon/apps/install/tools/run-tool.ts";
import { findUv, prepareAppsEnvironment, type RunStep } from "../../../daemon/start/prepare.ts";
import { type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { ImportFacts, InstallFacts } from "../../evidence/evidence.ts";
import { HarnessError, type Host } from "../host.ts";
import { confineInstaller } from "../isolation/confine-installer.ts";
import type { IsolationPlan } from "../isolation/isolation-plan.ts";
import { type AppUnderTest, appUnderTest, withPage } from "./app-under-test.ts";
import { copyVenv } from "./copy-venv.ts";
import { checkImport } from "./import-check.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { topLevelModulesOf } from "./top-level-modules.ts";

/** Install errors that are the app's fault. */
const APP_ERRORS: readonly ErrorCode[] = ["app-invalid", "install-failed", "dependency-conflict"];

/**
 * Makes the environment that every certification copies: the SDK and nothing else. Made once, then reused. Compiled: each
 * certification would compile its copy otherwise, and an app that is imported must not write.
 * @param cache the folder that holds it
 * @throws WorkbenchError `python-missing`, `index-unreachable`, `install-failed`
 */
export async function cleanEnvironment(cache: string, host: Host, step: RunStep): Promise<string> {
  const { env, signal } = host;
  const prepare = () =>
    prepareAppsEnvironment({
      dataDir: cache,
      sdkFolder: sdkSourceIn(PACKAGE_FOLDER),
      env: { ...env, UV_COMPILE_BYTECODE: "1" },
      step,
      signal,
    });
  const venv = await retryWhileBusy(prepare, systemClock, signal);
  // The sandbox of an install shows it by its own path, which files in it name.
  return realpath(venv);
}

const NOT_IMPORTED: ImportFacts = { error: "it could not be installed", effects: [], appClass: null };

/** An environment with one app in it, and the facts about the install. `app` is null when the install failed. */
export interface Installation {
  venv: string;
  app: AppUnderTest | null;
  /** Digest of the files that were installed; null when they were not. */
  digest: string | null;
  facts: InstallFacts;
  imports: ImportFacts;
}

export interface InstallOptions {
  /** The clean environment, which is copied. */
  clean: string;
  /** The app's folder. */
  folder: string;
  /** A folder for the copies. */
  into: string;
  isolation: IsolationPlan;
  /** Is called with the copy before the app is installed into it. */
  onCopied?: (venv: string) => void;
  host: Host;
}

/**
 * Installs an app into a copy of the clean environment, and uninstalls it from a second copy.
 * @throws HarnessError when the install failed for a reason that is not the app's
 */
export async function installInCleanEnvironment(options: InstallOptions): Promise<Installation> {
  const { clean, folder, into, isolation, host } = options;
  const venv = join(into, "venv");
  await mkdir(into, { recursive: true });
  // Installers do not write into files, but a build under bubblewrap may do anything; a hard link would lead it to `clean`.
  copyVenv(clean, venv, { links: isolation.bubblewrap === null });
  options.onCopied?.(venv);
  const confine = confineInstaller(isolation, { clean, into, venv });
  const parts = {
    dataDir: into,
    venv,
    // A program that a version manager put there may need files outside of the sandbox.
    uv: await findUv(host.env, (command) => confine(command, "scratch"), host.signal),
    env: host.env,
    clock: systemClock,
    signal: host.signal,
    confine,
    trustedPython: isolation.python,
  };
  try {
    const { name, extra } = await installWithoutDaemon(localFolder(folder), { ...parts, onProgress: () => {} });
    const installed = await new InstalledApps(venv).find(name);
    const { files: staticFiles, missing } = await compareStaticFiles(installed, folder);
    const announced = appUnderTest(installed, folder);
    const modules = await topLevelModulesOf(venv, String(installed.info.extra.distribution));
    const checks = [
      remainsOf(installed, parts, join(into, "without")),
      checkImport(venv, { ...announced, modules }, join(into, "import"), isolation, host),
    ] as const;
    // None goes on after the other one has failed.
    await Promise.allSettled(checks);
    const [remains, imports] = await Promise.all(checks);
    return {
      venv,
      app: imports.appClass === null ? announced : withPage(announced, imports.appClass),
      digest: extra.origin?.revision ?? null,
      facts: { refusal: null, staticFiles, missing, remains },
      imports,
    };
  } catch (error) {
    host.signal.throwIfAborted();
    if (error instanceof WorkbenchError && APP_ERRORS.includes(error.code))
      return {
        venv,
        app: null,
        digest: null,
        facts: { refusal: error.message, staticFiles: 0, missing: [], remains: [] },
        imports: NOT_IMPORTED,
      };
    throw new HarnessError(`the app could not be installed: ${(error as Error).message}`, { cause: error });
  }
}

/** The number of files of static/ in the source, and those of them that the installed package does not have. */
async function compareStaticFiles({ module, file }: InstalledApp, folder: string) {
  const packageName = module.split(".")[0] ?? "";
  const sources = ["", "src"].map((root) => join(folder, root, packageName, "static"));
  const source = sources.find((path) => existsSync(path));
  if (source === undefined || file === null) return { files: 0, missing: [] };
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
  return { files: names.length, missing: names.filter((name) => !existsSync(join(file, "../static", name))).sort() };
}

/** Files of the app that remain after it was uninstalled from a copy of the environment. */
async function remainsOf(
  { info, module }: InstalledApp,
  parts: InstallerParts & Pick<ToolRun, "clock" | "signal">,
  scratch: string,
): Promise<string[]> {
  const copy = join(scratch, "venv");
  await mkdir(scratch, { recursive: true });
  copyVenv(parts.venv, copy);
  const run = { clock: parts.clock, signal: parts.signal, onLine: () => {}, scratch };
  await uninstallFrom({ ...parts, venv: copy }, String(info.extra.distribution), run);
  const folders = await sitePackagesOf(copy);
  return folders
    .map((folder) => join(folder, module.split(".")[0] ?? ""))
    .filter((folder) => existsSync(folder))
    .map((folder) => relative(copy, folder));
}
