import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";

/** A copy of an app that runs in place of the installed one. */
export interface AppCopy {
  /** Folder that Python imports the app from. */
  importFolder: string;
  /** The file of its main module. */
  mainFile: string;
}

/** An app that is installed in the environment. */
export interface InstalledApp {
  info: AppInfo;
  /** What `python -m` runs, from the entry point's value: `hello_robot.main`. */
  module: string;
  /** The file of that module; null when it is nowhere on the import path. */
  file: string | null;
  /** The folder of its METADATA; missing where it was not read from one. */
  metadataFolder?: string;
  /** A digest of the installer's list of files (RECORD); missing without one. Another digest means another installation. */
  installation?: string;
  /** The environment of its own that the app is in; undefined for the one that apps share. */
  ownVenv?: string;
  /** The port of its page, which another program has: another port, or that program. */
  page?: { port?: number; holder?: string };
  /** What runs instead, with changes that are tried. */
  copy?: AppCopy;
}
