import path from "node:path";
import { normaliseName, sameName } from "../../../robot/wire/app-search.ts";
import type { AppInfo } from "../../../robot/wire/apps.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { canBuildWith } from "./build-requirements.ts";
import { recordsIn, refuseConflicts } from "./conflicts.ts";
import { type InstallerParts, installInto, uninstallFrom } from "./installer.ts";
import type { JobRun } from "./jobs.ts";
import { progressOf } from "./progress.ts";
import { type Project, readProject } from "./project.ts";
import type { Records } from "./records.ts";
import type { AppSource } from "./source.ts";
import { inStaging } from "./staging.ts";
import { changeVenv } from "./transaction.ts";
import { withVenvLock } from "./venv-lock.ts";

export interface InstallParts extends InstallerParts {
  catalogue: Catalogue;
  records: Records;
  /** Everything fetched and built on the way is made in here, and is gone afterwards. */
  stagingDir: string;
  clock: Clock;
  /** Keeps these apps from being started meanwhile. @throws WorkbenchError `app-already-running` */
  reserve(names: readonly string[]): () => void;
}

/**
 * Brings an app into the environment: fetch, check, install, verify, record. When anything of it fails or is called
 * off, the environment is as it was, an earlier version of the app included.
 * @throws WorkbenchError `app-invalid`, `install-failed`, `dependency-conflict`, `index-unreachable`, `disk-full`,
 * `app-already-running`, `deadline-passed`; what the source throws
 */
export function installApp(source: AppSource, parts: InstallParts, run: JobRun): Promise<AppInfo> {
  return inStaging(parts.stagingDir, async (staging) => {
    const folder = path.join(staging, "app");
    run.enter("fetch", 0);
    const origin = await source.fetch(folder, run);

    run.enter("check", 15);
    const project = await readProject(folder);
    const names = project.entryPoints.map(({ key }) => key);
    checkName(source, names);
    const release = parts.reserve(names);
    try {
      const app = await changeLocked(parts, async () => {
        run.enter("install", 20);
        const before = await recordsIn(parts.venv);
        await installInto(parts, {
          what: [folder],
          again: project.name,
          keep: "robot-sdk",
          isolated: !(await canBuildWith(parts.venv, project.buildRequires)),
          scratch: staging,
          ...reportTo(run, parts.clock),
        });
        run.enter("verify", 90);
        await refuseConflicts(project.name, before, parts, { ...reportTo(run, parts.clock), scratch: staging });
        return verify(project, parts.catalogue);
      });
      run.enter("record", 95);
      for (const name of names) await parts.records.put(name, origin);
      const [complete = app] = await parts.records.complete([app]);
      return complete;
    } finally {
      release();
    }
  });
}

/**
 * Takes an app, with the whole distribution that it came in, out of the environment.
 * @throws WorkbenchError `app-not-found`, `install-failed`, `app-already-running`, `deadline-passed`
 */
export async function removeApp(name: string, parts: InstallParts, run: JobRun): Promise<void> {
  const { info } = await parts.catalogue.find(name);
  const release = parts.reserve([info.name]);
  try {
    await inStaging(parts.stagingDir, (scratch) =>
      changeLocked(parts, async () => {
        run.enter("install", 20);
        await uninstallFrom(parts, String(info.extra.distribution), { scratch, ...reportTo(run, parts.clock) });
        run.enter("verify", 90);
        const left = (await parts.catalogue.list()).some((app) => sameName(app.info.name, info.name));
        if (left) throw new WorkbenchError("install-failed", `${info.name} is still there after it was removed.`);
      }),
    );
    run.enter("record", 95);
    await parts.records.drop(info.name);
  } finally {
    release();
  }
}

/** An app is found, updated and started by the name of its space. */
function checkName({ name, app }: AppSource, names: readonly string[]): void {
  if (app === null || names.some((each) => sameName(each, app))) return;
  const next = `Name the entry point ${normaliseName(app)}, or the space ${names[0]}.`;
  throw new WorkbenchError("app-invalid", `${name} offers ${names.join(", ")}, but no app named ${app}. ${next}`);
}

async function verify(project: Project, catalogue: Catalogue): Promise<AppInfo> {
  const apps = await catalogue.list();
  const verified = project.entryPoints.map(({ key, module }) => {
    const app = apps.find(({ info }) => info.name === key && sameName(String(info.extra.distribution), project.name));
    if (app === undefined) throw new WorkbenchError("install-failed", `${key} does not show among the installed apps.`);
    if (app.file !== null) return app.info;
    const next = "Let pyproject.toml list all its packages (tool.setuptools.packages).";
    throw new WorkbenchError(
      "app-invalid",
      `${key} runs ${module}, but the package does not ship that module. ${next}`,
    );
  });
  return verified[0] as AppInfo;
}

function reportTo(run: JobRun, clock: Clock) {
  const INSTALL_FROM = 20;
  const INSTALL_SPAN = 70;
  const onLine = (line: string) => run.log(line, INSTALL_FROM + (progressOf(line) / 100) * INSTALL_SPAN);
  return { clock, signal: run.signal, onLine };
}

function changeLocked<T>({ venv, clock }: InstallParts, change: () => Promise<T>): Promise<T> {
  return withVenvLock(venv, clock, () => changeVenv(venv, change));
}
