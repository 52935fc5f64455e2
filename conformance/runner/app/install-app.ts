import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { systemClock } from "../../../common/time/clock.ts";
import type { InstalledApp } from "../../../daemon/apps/catalogue/installed-app.ts";
import { InstalledApps, sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { readProject } from "../../../daemon/apps/install/check/project.ts";
import { readWheel, type Wheel } from "../../../daemon/apps/install/check/wheel.ts";
import { type RecordedFile, recordOf } from "../../../daemon/apps/install/environment/file-owners.ts";
import { installedDistributions } from "../../../daemon/apps/install/environment/installed-distributions.ts";
import { localFolder } from "../../../daemon/apps/install/fetch/folder-source.ts";
import { installWithoutDaemon } from "../../../daemon/apps/install/install-without-daemon.ts";
import { hasBuildRequirements } from "../../../daemon/apps/install/tools/build-requirements.ts";
import { buildWheel, type InstallerParts, uninstallFrom } from "../../../daemon/apps/install/tools/installer.ts";
import type { ToolRun } from "../../../daemon/apps/install/tools/run-tool.ts";
import { findUv } from "../../../daemon/start/prepare.ts";
import { sameName } from "../../../robot/wire/apps/app-search.ts";
import { type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { ImportFacts, InstallFacts } from "../../evidence/evidence.ts";
import { HarnessError, type Host } from "../host.ts";
import { confineInstaller } from "../isolation/confine-installer.ts";
import type { IsolationPlan } from "../isolation/isolation-plan.ts";
import { type AppUnderTest, appUnderTest, withPage } from "./app-under-test.ts";
import { copyCleanEnvironment } from "./clean-environment.ts";
import { copyVenv } from "./copy-venv.ts";
import { checkImport } from "./import-check.ts";
import { topLevelModulesOf } from "./top-level-modules.ts";

/** Install errors that are the app's fault. */
const APP_ERRORS: readonly ErrorCode[] = ["app-invalid", "install-failed", "dependency-conflict"];

const NOT_IMPORTED: ImportFacts = { error: "it could not be installed", effects: [], appClass: null };

/** An environment with one app in it, and the facts about the install. `app` is null when the install failed. */
interface Installation {
  venv: string;
  app: AppUnderTest | null;
  /** Digest of the files that were built, and `dirHash` of the wheel that was installed; null when it was not. */
  digest: string | null;
  wheel: string | null;
  facts: InstallFacts;
  imports: ImportFacts;
}

interface InstallOptions {
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
  await copyCleanEnvironment(clean, venv);
  options.onCopied?.(venv);
  const confine = confineInstaller(isolation, { clean, into, venv });
  const parts = {
    dataDir: into,
    venv,
    // A program that a version manager put there may need files outside of the sandbox.
    uv: await findUv(host.env, (command) => confine(command, "scratch"), host.signal),
    // Its files must not be those of the cache of uv, which the next certification uses.
    env: { ...host.env, UV_LINK_MODE: "copy" },
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
    const wheel = extra.origin?.wheel ?? null;
    const checks = [
      uninstallAndBuildAgain(installed, { ...parts, folder, wheel }, join(into, "without")),
      checkImport(venv, { ...announced, modules }, join(into, "import"), isolation, host),
    ] as const;
    // None goes on after the other one has failed.
    await Promise.allSettled(checks);
    const [{ remains, rebuilt }, imports] = await Promise.all(checks);
    return {
      venv,
      app: imports.appClass === null ? announced : withPage(announced, imports.appClass),
      digest: extra.origin?.revision ?? null,
      wheel,
      facts: { refusal: null, staticFiles, missing, remains, rebuilt },
      imports,
    };
  } catch (error) {
    host.signal.throwIfAborted();
    if (error instanceof WorkbenchError && APP_ERRORS.includes(error.code))
      return {
        venv,
        app: null,
        digest: null,
        wheel: null,
        facts: { refusal: error.message, staticFiles: 0, missing: [], remains: [], rebuilt: null },
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

/**
 * Uninstalls the app from a copy of the environment, and builds it there a second time.
 * @returns files of the app that remain after it was uninstalled, and the files of the package in which the builds differ
 */
async function uninstallAndBuildAgain(
  app: InstalledApp,
  {
    folder,
    wheel,
    ...parts
  }: InstallerParts & Pick<ToolRun, "clock" | "signal"> & { folder: string; wheel: string | null },
  scratch: string,
): Promise<{ remains: string[]; rebuilt: string[] }> {
  const copy = join(scratch, "venv");
  await mkdir(scratch, { recursive: true });
  copyVenv(parts.venv, copy);
  const run = { clock: parts.clock, signal: parts.signal, onLine: () => {}, scratch };
  const [packageName = ""] = app.module.split(".");
  const name = String(app.info.extra.distribution);
  const recorded = await recordOfDistribution(copy, name);
  await uninstallFrom({ ...parts, venv: copy }, name, run);
  const folders = await sitePackagesOf(copy);
  const remains = folders
    .map((each) => join(each, packageName))
    .filter((each) => existsSync(each))
    .map((each) => relative(copy, each));
  const project = join(scratch, "app");
  const { signal = new AbortController().signal } = parts;
  await localFolder(folder).fetch(project, { signal, enter: () => {}, log: () => {} });
  const isolated = !(await hasBuildRequirements(copy, (await readProject(project)).buildRequires));
  try {
    const file = await buildWheel({ ...parts, venv: copy }, { ...run, project, isolated });
    const again = await readWheel(file, { ...parts, venv: copy });
    return { remains, rebuilt: again.digest === wheel ? [] : differencesOf(recorded, again) };
  } catch (error) {
    if (!(error instanceof WorkbenchError) || !APP_ERRORS.includes(error.code)) throw error;
    return { remains, rebuilt: [`everything: it failed (${error.message})`] };
  }
}

async function recordOfDistribution(venv: string, name: string) {
  const distribution = (await installedDistributions(venv)).find((one) => sameName(one.name, name));
  return distribution === undefined ? [] : recordOf(distribution);
}

/** The names of files that are only in one of two builds, or not the same in both. */
function differencesOf(recorded: readonly RecordedFile[], { contents }: Wheel): string[] {
  const hashes = recorded.flatMap(({ file, sha256 }) => (sha256 === null ? [] : [[file, sha256] as const]));
  const one = new Map(hashes.filter(([file]) => !/\.dist-info\/(?!METADATA|entry_points)|^\.\.\//.test(file)));
  const other = new Map(Object.entries(contents));
  const names = new Set([...one.keys(), ...[...other.keys()].filter((name) => !name.includes(".dist-info/"))]);
  const different = [...names].filter((name) => one.get(name) !== other.get(name)).sort();
  return different.length === 0 ? ["its metadata"] : different;
}
