import path from "node:path";
import { NO_PACKAGE_INDEX } from "../../../common/machine/offline.ts";
import { systemClock } from "../../../common/time/clock.ts";
import type { Job } from "../../../robot/wire/apps/jobs.ts";
import { InstalledApps } from "../catalogue/installed-apps.ts";
import { OriginRecords } from "../catalogue/origin-records.ts";
import { localFolder } from "../install/fetch/folder-source.ts";
import { installApp } from "../install/install-app.ts";
import type { InstallParts } from "../install/install-parts.ts";
import { Jobs } from "../install/jobs/jobs.ts";
import { removeApp } from "../install/remove-app.ts";
import type { TestVenv } from "./test-venv.ts";

export interface TestInstaller {
  parts: InstallParts;
  jobs: Jobs;
  /** Installs the app of a folder. Settles when the job is over. */
  install(folder: string): Promise<Job>;
  remove(name: string): Promise<Job>;
}

/** The uv of the tests' own environment. */
export const TEST_UV = path.resolve(".venv/bin/uv");

/** Environment variables of an installer that uses no package index. */
export const WITHOUT_INDEX = { PATH: process.env.PATH, PIP_NO_COMPILE: "1", ...NO_PACKAGE_INDEX };

/** Installs apps into a test environment with the real pip or uv, without a package index. */
export function createTestInstaller(home: TestVenv, uv: string | null, reader?: InstallParts["reader"]): TestInstaller {
  const origins = new OriginRecords(home.venv, home.root);
  const parts: InstallParts = {
    venv: home.venv,
    uv,
    env: { ...WITHOUT_INDEX, HOME: home.root },
    installed: new InstalledApps(home.venv, origins),
    origins,
    stagingDir: path.join(home.root, "staging"),
    clock: systemClock,
    reader,
    lockApps: () => () => {},
    duringChange: (_, _run, change) => change(),
  };
  let count = 0;
  const jobs = new Jobs(
    () => String(++count),
    () => {},
    systemClock,
  );
  return {
    parts,
    jobs,
    install: (folder) => jobs.done(jobs.add("install", (run) => installApp(localFolder(folder), parts, run)).job_id),
    remove: (name) => jobs.done(jobs.add("remove", (run) => removeApp(name, parts, run).then(() => null)).job_id),
  };
}
