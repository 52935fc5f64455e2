import type { AppInfo } from "../../../robot/wire/apps.ts";

/** An app as the environment holds it. */
export interface InstalledApp {
  info: AppInfo;
  /** What `python -m` runs, from the entry point's value: `hello_robot.main`. */
  module: string;
  /** The file of that module; null when it is not where the import path says. */
  file: string | null;
}
