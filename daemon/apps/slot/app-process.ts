import type { InstalledApp } from "../catalogue/installed-app.ts";

/** How an app's process ended. */
export interface AppEnd {
  /** The leader's exit code, or null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** True when SIGINT alone was not enough. */
  forced: boolean;
  /** The last lines of its standard error, oldest first. */
  lastErrors: readonly string[];
}

/** A launched app: its leader and everything that the leader started. */
export interface AppProcess {
  /** Of the leader, and of the process group. */
  readonly pid: number;
  /** Settles, never rejects, when nothing of the app is left. */
  readonly gone: Promise<AppEnd>;
  /** Asks the app to end, and makes sure that it does. Does nothing the second time. */
  stop(): void;
}

/** Starts an app's process. @throws WorkbenchError `app-start-failed` */
export type Launch = (app: InstalledApp) => Promise<AppProcess>;
