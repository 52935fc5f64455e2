import path from "node:path";
import { admits } from "../../../common/python/project/python-version.ts";
import type { AppOrigin } from "../../../robot/wire/apps/app-origin.ts";
import { normaliseName, sameName } from "../../../robot/wire/apps/app-search.ts";
import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { installedText } from "../../../robot/wire/apps/install-text.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { InstalledApps } from "../catalogue/installed-apps.ts";
import { isOwnVenv } from "../catalogue/own-venvs.ts";
import { rejectCollisions } from "./check/collisions.ts";
import { type Project, readProject } from "./check/project.ts";
import { readWheel, type Wheel } from "./check/wheel.ts";
import { readEnvironment } from "./environment/environment-state.ts";
import {
  type AddedPackages,
  addedPackages,
  areInstalled,
  hasBuildRequirements,
  installedDistributions,
} from "./environment/installed-distributions.ts";
import { pythonVersionOf } from "./environment/python-version-of.ts";
import { changeVenv } from "./environment/transaction.ts";
import { withVenvLock } from "./environment/venv-lock.ts";
import type { AppSource } from "./fetch/source.ts";
import { withStagingFolder } from "./fetch/staging.ts";
import { type InstallParts, namesInDistribution, toolRun } from "./install-parts.ts";
import type { JobRun } from "./jobs/jobs.ts";
import { chooseInstallTarget } from "./own/install-target.ts";
import { removeFromShared, removeWithVenv } from "./remove-app.ts";
import { buildWheel, fileRequirement, type InstallerRun, installInto } from "./tools/installer.ts";
import { rejectConflicts } from "./verify/conflicts.ts";
import { rejectTakeover } from "./verify/takeover.ts";

export interface EnvironmentChoice {
  /** Whether the app gets an environment of its own; undefined leaves it where it is, a new one in the shared one. */
  isolated?: boolean | undefined;
}

/**
 * Installs an app in five stages: fetch, check, install, verify, record. When a stage fails or the job is cancelled, the
 * environment is as it was before, an earlier version of the app included. An app that needs another Python than the
 * environment of all apps has gets an environment of its own.
 * @throws WorkbenchError `app-invalid`, `install-failed`, `dependency-conflict`, `index-unreachable`, `disk-full`,
 * `app-already-running`, `deadline-passed`, `python-missing`; what the source throws
 */
export function installApp(
  source: AppSource,
  parts: InstallParts,
  run: JobRun,
  { isolated }: EnvironmentChoice = {},
): Promise<AppInfo> {
  const began = parts.clock.now();
  return withStagingFolder(parts.stagingDir, async (staging) => {
    const folder = path.join(staging, "app");
    run.enter("fetch", 0);
    const origin = await source.fetch(folder, run);

    run.enter("check", 15);
    const project = await readProject(folder);
    const names = project.entryPoints.map(({ key }) => key);
    checkName(source, names);
    const earlier = await namesInDistribution(project.name, parts.installed);
    const unlock = parts.lockApps([...names, ...earlier]);
    const tool = { ...toolRun(run, parts.clock), scratch: staging };
    // Read while other processes build the app: each takes part of a second.
    const admitted = rejectWithoutClass(folder, project, parts, run);
    admitted.catch(() => {}); // it is awaited below
    try {
      const target = await chooseInstallTarget({ project, isolated, admitted }, parts, tool);
      const { isNew } = target;
      const fetched = { folder, origin, project, earlier, isNew, admitted, editableFolder: source.editableFolder };
      const app = await installInPlace(fetched, target.parts, run, tool).catch(async (error: unknown) => {
        await target.discard();
        throw target.isOwn ? error : withIsolationHint(error);
      });
      await target.keep();
      // The app is installed: a job that is cancelled from here on leaves it where it is.
      if (target.leaves !== null) await leave(app, target.leaves, { ...run, signal: new AbortController().signal });
      const seconds = (parts.clock.now() - began) / 1000;
      const { packages, bytes } = app.added;
      const installed = { packages, bytes, seconds: Math.round(seconds * 10) / 10 };
      run.log(`${project.name}: ${installedText(installed)}`);
      const extra = { ...app.info.extra, ...(target.isOwn && { isolated: true }), installed };
      return { ...app.info, extra };
    } finally {
      unlock();
    }
  });
}

/** Builds an app's wheel while `admitted` is pending. When that rejects, the build is cancelled. */
async function buildAdmitted(
  { folder, isolated, admitted }: Pick<FetchedApp, "folder" | "admitted"> & { isolated: boolean },
  parts: InstallParts,
  run: JobRun,
  tool: InstallerRun,
): Promise<string> {
  const refused = new AbortController();
  const signal = AbortSignal.any([run.signal, refused.signal]);
  const build = buildWheel(parts, { ...tool, signal, project: folder, isolated });
  build.catch(() => {}); // it may fail before it is awaited
  try {
    await admitted;
  } catch (error) {
    refused.abort();
    await build.catch(() => {}); // it writes into a folder that is about to be removed
    throw error;
  }
  run.enter("install", 20);
  return build;
}

/** @throws WorkbenchError `app-invalid` with the finding of check where the app in a folder cannot have an app class */
async function rejectWithoutClass(
  folder: string,
  { requiresPython }: Project,
  { reader, venv }: InstallParts,
  { signal }: JobRun,
): Promise<void> {
  const own = await pythonVersionOf(venv);
  const python = own !== undefined && admits(requiresPython, own) ? own : undefined;
  const missing = (await reader?.appClassMissing(folder, signal, python)) ?? null;
  if (missing === null) return;
  throw new WorkbenchError("app-invalid", `This is not a robot app: ${missing} Run robot-app-assistant check on it.`);
}

interface FetchedApp {
  folder: string;
  origin: AppOrigin;
  project: Project;
  /** The names of the apps that the distribution has so far. */
  earlier: readonly string[];
  /** Whether its environment was made for it. */
  isNew: boolean;
  /** Rejects where it is no app. */
  admitted: Promise<void>;
  editableFolder: string | undefined;
}

interface AddedApp {
  info: AppInfo;
  added: AddedPackages;
}

/** Installs a fetched app into the environment of `parts`. */
function installInPlace(
  { folder, origin, project, earlier, isNew, admitted, editableFolder }: FetchedApp,
  parts: InstallParts,
  run: JobRun,
  tool: InstallerRun,
): Promise<AddedApp> {
  const names = project.entryPoints.map(({ key }) => key);
  return withVenvLock(parts.venv, parts.clock, async () => {
    const before = isNew ? [] : await installedDistributions(parts.venv);
    const isolated = !(await hasBuildRequirements(parts.venv, project.buildRequires));
    const wheel = await buildAdmitted({ folder, isolated, admitted }, parts, run, tool);
    const { digest } = await checkWheel(wheel, project, parts, run);
    const installed: AppOrigin = editableFolder === undefined ? { ...origin, wheel: digest } : origin;
    const change = async () => {
      const info = await installWheel({ wheel, project, editableFolder }, parts, run, tool);
      run.enter("record", 95);
      await parts.origins.delete(earlier);
      const { installation } = await new InstalledApps(parts.venv).find(info.name);
      await parts.origins.set(names, installed, installation);
      const added = await addedPackages(project.name, before, await installedDistributions(parts.venv));
      return { info: { ...info, extra: { ...info.extra, origin: installed } }, added };
    };
    const what = `The installation of ${names.join(", ")}`;
    return parts.duringChange(what, run, () => changeVenv(parts.venv, change));
  });
}

/**
 * Removes an app from the environment that it was in before. Where that fails, the copy in an environment of its own counts:
 * an app that has just got one can be used.
 * @throws why the app cannot be removed from its own environment
 */
async function leave({ info }: AddedApp, from: InstallParts, run: JobRun): Promise<void> {
  if (isOwnVenv(from.venv)) return removeWithVenv(from.venv, info.name, from, run);
  await removeFromShared(info, from, run).catch((error: unknown) => {
    run.log(`${info.name} could not be removed from ${from.venv}: ${error instanceof Error ? error.message : error}`);
  });
}

/** Names the way out of a conflict with what other apps have. */
function withIsolationHint(error: unknown): unknown {
  if (!(error instanceof WorkbenchError) || error.code !== "dependency-conflict") return error;
  const next = 'It can have an environment of its own: robot-daemon install --isolated, or {"isolated": true}.';
  return new WorkbenchError(error.code, `${error.message} ${next}`, { cause: error });
}

/** Checks the app's wheel while the environment is still unchanged. */
async function checkWheel(file: string, project: Project, parts: InstallParts, run: JobRun): Promise<Wheel> {
  const wheel = await readWheel(file, { ...parts, signal: run.signal });
  for (const { key, module } of project.entryPoints) {
    const source = module.replaceAll(".", "/");
    // Also a compiled module, main.cpython-311-aarch64-linux-gnu.so.
    if (wheel.files.some((file) => file.startsWith(`${source}.`) || file === `${source}/__init__.py`)) continue;
    const next = "Let pyproject.toml list all its packages (tool.setuptools.packages).";
    throw new WorkbenchError(
      "app-invalid",
      `${key} runs ${module}, but the package does not ship that module. ${next}`,
    );
  }
  await rejectCollisions(wheel, project, parts.venv, parts.installed);
  return wheel;
}

/** Changes the environment: installs the wheel with its dependencies, and verifies that everything fits together. */
async function installWheel(
  { wheel, project, editableFolder }: Pick<FetchedApp, "project" | "editableFolder"> & { wheel: string },
  parts: InstallParts,
  run: JobRun,
  tool: InstallerRun,
): Promise<AppInfo> {
  const before = await readEnvironment(parts.venv);
  const { dependencies } = project;
  const isLinkEnough = editableFolder !== undefined && dependencies && (await areInstalled(parts.venv, dependencies));
  const packages = [fileRequirement(wheel)];
  if (!isLinkEnough) await installInto(parts, { ...tool, packages, reinstall: project.name, isolated: true });
  if (editableFolder !== undefined) await linkFolder(editableFolder, project, parts, tool);
  run.enter("verify", 90);
  await rejectConflicts(project.name, before.distributions, parts, tool);
  await rejectTakeover(parts.venv, before, { project, isEditable: editableFolder !== undefined });
  // Only what was installed here counts: the app may still be in another environment, too.
  return verify(project, new InstalledApps(parts.venv, parts.origins));
}

/** Installs a link to an app's folder in place of its files; its dependencies are installed already. */
async function linkFolder(folder: string, project: Project, parts: InstallParts, tool: InstallerRun): Promise<void> {
  const isolated = !(await hasBuildRequirements(parts.venv, project.buildRequires));
  await installInto(parts, {
    ...tool,
    packages: ["--no-deps", "--editable", fileRequirement(folder)],
    reinstall: project.name,
    isolated,
  });
}

/** An app is found, updated and started by the name of its space, so one of its entry points must have that name. */
function checkName({ name, app }: AppSource, names: readonly string[]): void {
  if (app === null || names.some((each) => sameName(each, app))) return;
  const next = `Name the entry point ${normaliseName(app)}, or the space ${names[0]}.`;
  throw new WorkbenchError("app-invalid", `${name} offers ${names.join(", ")}, but no app named ${app}. ${next}`);
}

async function verify(project: Project, installed: InstalledApps): Promise<AppInfo> {
  const apps = await installed.list();
  const verified = project.entryPoints.map(({ key }) => {
    const app = apps.find(({ info }) => info.name === key && sameName(String(info.extra.distribution), project.name));
    if (app === undefined) {
      throw new WorkbenchError("install-failed", `${key} is not among the apps after the install.`);
    }
    return app.info;
  });
  return verified[0] as AppInfo;
}
