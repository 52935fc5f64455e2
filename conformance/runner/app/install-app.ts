import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { systemClock } from "../../../common/time/clock.ts";
import type { InstalledApp } from "../../../daemon/apps/catalogue/installed-app.ts";
import { InstalledApps } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { localFolder } from "../../../daemon/apps/install/fetch/folder-source.ts";
import { installWithoutDaemon } from "../../../daemon/apps/install/install-without-daemon.ts";
import { findUv } from "../../../daemon/start/prepare.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { ImportFacts, InstallFacts, SecondBuild } from "../../evidence/evidence.ts";
import { HarnessError, type Host } from "../host.ts";
import { confineInstaller } from "../isolation/confine-installer.ts";
import type { IsolationPlan } from "../isolation/isolation-plan.ts";
import { type AppUnderTest, appUnderTest, withPage } from "./app-under-test.ts";
import { copyCleanEnvironment } from "./clean-environment.ts";
import { checkImport } from "./import-check.ts";
import { APP_ERRORS, startSecondBuild } from "./second-build.ts";
import { topLevelModulesOf } from "./top-level-modules.ts";

const NOT_IMPORTED: ImportFacts = { error: "it could not be installed", effects: [], appClass: null };

/** An environment with one app in it, and the facts about the install. `app` is null when the install failed. */
interface Installation {
  venv: string;
  app: AppUnderTest | null;
  /** Digest of the files that were built, and `dirHash` of the wheel that was installed; null when it was not. */
  digest: string | null;
  wheel: string | null;
  facts: Omit<InstallFacts, keyof SecondBuild>;
  /** Settles later than the install where the sandbox keeps it from the app's test runs. Rejects with a HarnessError. */
  secondBuild: Promise<SecondBuild>;
  imports: ImportFacts;
}

/** The results of a second build that is not needed, or not done yet. */
export const NO_SECOND_BUILD: SecondBuild = { remains: null, rebuilt: null };

interface InstallOptions {
  /** The clean environment, which is copied. */
  clean: string;
  /** The app's folder. */
  folder: string;
  /** A folder for the copies. */
  into: string;
  isolation: IsolationPlan;
  /** Whether the app is uninstalled from a second copy, and built there again. */
  buildsAgain: boolean;
  /** Is called with the copy before the app is installed into it. */
  onCopied?: (venv: string) => void;
  host: Host;
}

/**
 * Installs an app into a copy of the clean environment.
 * @throws HarnessError when the install failed for a reason that is not the app's
 */
export async function installInCleanEnvironment(options: InstallOptions): Promise<Installation> {
  const { clean, folder, into, isolation, host } = options;
  const venv = join(into, "venv");
  await mkdir(into, { recursive: true });
  await copyCleanEnvironment(clean, venv, host.signal);
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
  let secondBuild = Promise.resolve(NO_SECOND_BUILD);
  try {
    const { name, extra } = await installWithoutDaemon(localFolder(folder), { ...parts, onProgress: () => {} });
    const installed = await new InstalledApps(venv).find(name);
    const { files: staticFiles, missing } = await compareStaticFiles(installed, folder);
    const announced = appUnderTest(installed, folder);
    const modules = await topLevelModulesOf(venv, String(installed.info.extra.distribution));
    const wheel = extra.origin?.wheel ?? null;
    if (options.buildsAgain)
      secondBuild = startSecondBuild(installed, { ...parts, folder, wheel }, join(into, "without")).catch(
        failInHarness,
      );
    // Whoever awaits it gets the error.
    secondBuild.catch(() => {});
    // Its code could reach the daemon of a test run, or the files of the app that runs.
    if (isolation.bubblewrap === null || !isolation.network) await secondBuild;
    const imports = await checkImport(venv, { ...announced, modules }, join(into, "import"), isolation, host);
    return {
      venv,
      app: imports.appClass === null ? announced : withPage(announced, imports.appClass),
      digest: extra.origin?.revision ?? null,
      wheel,
      facts: { refusal: null, staticFiles, missing },
      secondBuild,
      imports,
    };
  } catch (error) {
    // The caller deletes the folder that it works in.
    await secondBuild.catch(() => {});
    host.signal.throwIfAborted();
    if (error instanceof WorkbenchError && APP_ERRORS.includes(error.code))
      return {
        venv,
        app: null,
        digest: null,
        wheel: null,
        facts: { refusal: error.message, staticFiles: 0, missing: [] },
        secondBuild,
        imports: NOT_IMPORTED,
      };
    return failInHarness(error);
  }
}

function failInHarness(error: unknown): never {
  if (error instanceof HarnessError) throw error;
  throw new HarnessError(`the app could not be installed: ${(error as Error).message}`, { cause: error });
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
