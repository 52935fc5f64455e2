import path from "node:path";
import { normaliseName, sameName } from "../../../robot/wire/apps/app-search.ts";
import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { InstalledApps } from "../catalogue/installed-apps.ts";
import { rejectCollisions } from "./check/collisions.ts";
import { type Project, readProject } from "./check/project.ts";
import { readWheel } from "./check/wheel.ts";
import { fileOwnersIn } from "./environment/file-owners.ts";
import { installedDistributions } from "./environment/installed-distributions.ts";
import { changeVenv } from "./environment/transaction.ts";
import { withVenvLock } from "./environment/venv-lock.ts";
import type { AppSource } from "./fetch/source.ts";
import { withStagingFolder } from "./fetch/staging.ts";
import { type InstallParts, toolRun } from "./install-parts.ts";
import type { JobRun } from "./jobs/jobs.ts";
import { canBuildWith } from "./tools/build-requirements.ts";
import { buildWheel, type InstallerRun, installInto } from "./tools/installer.ts";
import { rejectConflicts } from "./verify/conflicts.ts";
import { rejectTakenFiles } from "./verify/taken-files.ts";

/**
 * Installs an app in five stages: fetch, check, install, verify, record. When a stage fails or the job is cancelled, the
 * environment is as it was before, an earlier version of the app included.
 * @throws WorkbenchError `app-invalid`, `install-failed`, `dependency-conflict`, `index-unreachable`, `disk-full`,
 * `app-already-running`, `deadline-passed`; what the source throws
 */
export function installApp(source: AppSource, parts: InstallParts, run: JobRun): Promise<AppInfo> {
  return withStagingFolder(parts.stagingDir, async (staging) => {
    const folder = path.join(staging, "app");
    run.enter("fetch", 0);
    const origin = await source.fetch(folder, run);

    run.enter("check", 15);
    const project = await readProject(folder);
    const names = project.entryPoints.map(({ key }) => key);
    checkName(source, names);
    const unlock = parts.lockApps(names);
    try {
      return await withVenvLock(parts.venv, parts.clock, async () => {
        run.enter("install", 20);
        const tool = { ...toolRun(run, parts.clock), scratch: staging };
        const isolated = !(await canBuildWith(parts.venv, project.buildRequires));
        const wheel = await buildWheel(parts, { ...tool, project: folder, isolated });
        await checkWheel(wheel, project, parts, run);
        const change = async () => {
          const app = await installWheel(wheel, project, parts, run, tool);
          if (source.editableFolder !== undefined) await linkFolder(source.editableFolder, project, parts, tool);
          run.enter("record", 95);
          await parts.origins.set(names, origin);
          return { ...app, extra: { ...app.extra, origin } };
        };
        const what = `The installation of ${names.join(", ")}`;
        return await parts.duringChange(what, run, () => changeVenv(parts.venv, change));
      });
    } finally {
      unlock();
    }
  });
}

/** Checks the app's wheel while the environment is still unchanged. */
async function checkWheel(file: string, project: Project, parts: InstallParts, run: JobRun): Promise<void> {
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
}

/** Changes the environment: installs the wheel with its dependencies, and verifies that everything fits together. */
async function installWheel(
  wheel: string,
  project: Project,
  parts: InstallParts,
  run: JobRun,
  tool: InstallerRun,
): Promise<AppInfo> {
  const before = {
    distributions: await installedDistributions(parts.venv),
    owners: await fileOwnersIn(parts.venv),
  };
  await installInto(parts, { ...tool, packages: [wheel], reinstall: project.name, isolated: true });
  run.enter("verify", 90);
  await rejectConflicts(project.name, before.distributions, parts, tool);
  await rejectTakenFiles(parts.venv, parts.installed, before);
  return verify(project, parts.installed);
}

/** Replaces the installed files of an app by a link to its folder; its dependencies are installed already. */
async function linkFolder(folder: string, project: Project, parts: InstallParts, tool: InstallerRun): Promise<void> {
  const isolated = !(await canBuildWith(parts.venv, project.buildRequires));
  await installInto(parts, {
    ...tool,
    packages: ["--no-deps", "--editable", folder],
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
