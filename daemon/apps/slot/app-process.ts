import type { InstalledApp } from "../catalogue/installed-app.ts";

/** How an app's process ended. */
export interface AppEnd {
  /** The main process's exit code; null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** True when SIGINT alone was not enough. */
  forced: boolean;
  /** The last lines of its standard error, oldest first. */
  lastErrors: readonly string[];
}

/** A running app: its main process and all processes that the main process started. */
export interface AppProcess {
  /** Of the main process, and of the process group. */
  readonly pid: number;
  /** Settles, never rejects, when no process of the app is left. */
  readonly exited: Promise<AppEnd>;
  /**
   * Asks the app to end, and ends it by force after the grace period. Does nothing the second time.
   * @param isStarting true for an app that has not connected yet
   */
  stop(isStarting: boolean): void;
  /** To be called when the app's SDK connects. */
  connected(): void;
}

/** Starts an app's process. @throws WorkbenchError `app-start-failed` */
export type LaunchApp = (app: InstalledApp) => Promise<AppProcess>;
