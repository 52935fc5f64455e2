import path from "node:path";
import type { ProcessTree } from "../../../common/machine/process-tree.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import { PAGE_PORT_HOLDER_VARIABLE, PAGE_PORT_VARIABLE } from "./page-port.ts";
import { pythonEnvironment } from "./python-environment.ts";

/** A process to start: program, arguments, working folder and environment. */
export interface Command {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

interface CommandParts {
  venv: string;
  /** Each app gets a working folder of its own in here, because `-m` imports from the working folder first. */
  workDir: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Carries the run id in the environment of all processes of a run, so that those outside the process group are found. */
export const RUN_ID_VARIABLE = "ROBOT_APP_RUN";

/** The processes of a run: those of its process group (null when unknown), and those with its run id. */
export const runTree = (group: number | null, runId: string): ProcessTree => {
  return { group, environment: [RUN_ID_VARIABLE, runId] };
};

/** The command that runs an app: `python -u -m <app_name>.main`. */
export function appCommand(app: InstalledApp, runId: string, { venv, workDir, env }: CommandParts): Command {
  return {
    file: path.join(app.ownVenv ?? venv, "bin", "python"),
    args: ["-u", "-m", app.module],
    cwd: path.join(workDir, app.info.name),
    env: {
      ...pythonEnvironment(env),
      [RUN_ID_VARIABLE]: runId,
      ...(app.page?.port !== undefined && { [PAGE_PORT_VARIABLE]: String(app.page.port) }),
      ...(app.page?.holder !== undefined && { [PAGE_PORT_HOLDER_VARIABLE]: app.page.holder }),
      // Before the installed app on Python's path.
      ...(app.copy && { PYTHONPATH: app.copy.importFolder }),
    },
  };
}
