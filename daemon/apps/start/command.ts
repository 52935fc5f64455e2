import path from "node:path";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import { pythonEnvironment } from "./environment.ts";

/** A process to be: program, arguments, folder and environment. */
export interface Command {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

export interface CommandParts {
  venv: string;
  /** A folder of each app's own is made here: `-m` imports from the working directory first. */
  workDir: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Marks all processes of one run, so that those that leave the process group are found again. */
export const RUN_MARK = "ROBOT_APP_RUN";

/** How an app is run: `python -u -m <app_name>.main`. */
export function commandOf(app: InstalledApp, mark: string, { venv, workDir, env }: CommandParts): Command {
  return {
    file: path.join(venv, "bin", "python"),
    args: ["-u", "-m", app.module],
    cwd: path.join(workDir, app.info.name),
    env: { ...pythonEnvironment(env), [RUN_MARK]: mark },
  };
}
