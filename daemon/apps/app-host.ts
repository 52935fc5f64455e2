import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import type { AppInfo, AppStatus } from "../../robot/wire/apps.ts";
import type { Job } from "../../robot/wire/jobs.ts";
import type { Robot } from "../control/robot.ts";
import type { AppListener, LogLine } from "./app-events.ts";
import type { Clock } from "./clock.ts";

export interface AppHostOptions {
  /** Folder of all that the daemon keeps: logs, records, the startup app, the note of the running app. */
  dataDir: string;
  /** The apps' Python environment, as `ensureAppsVenv` made it. */
  venv: string;
  robot: Robot;
  clock: Clock;
  /** The daemon's environment, read at every start of an app; it inherits all but what bends Python itself. */
  env: Readonly<Record<string, string | undefined>>;
  /** True while an SDK client that is not the app moves the robot: the startup app then stays out of its way. */
  remoteSessionActive(): boolean;
  /** Milliseconds between SIGINT and SIGTERM. Default 5000. */
  graceMs?: number;
}

/** Hosts at most one app at a time on the robot. Everything thrown or rejected is a WorkbenchError. */
export interface AppHost {
  /** The apps in the environment, read from it on every call. */
  list(): Promise<AppInfo[]>;
  /** The app of the slot, or the last one with how it ended; null before the first start. */
  status(): AppStatus | null;
  /**
   * Settles when the app's process runs; a return to default that is under way is awaited first.
   * @throws `app-already-running`, `app-not-found`, `app-busy`, `app-start-failed`, `shutting-down`
   */
  start(name: string): Promise<AppStatus>;
  /**
   * Settles when nothing of the app is left and the robot is back in its default pose; joins a stop under way.
   * @throws `no-app-running`
   */
  stop(): Promise<AppStatus>;
  /** Stops the app and starts it again. @throws as `stop` and `start` */
  restart(): Promise<AppStatus>;
  /** An SDK client connected, of this process when it told. True when it is the app of the slot. */
  attach(pid?: number): boolean;
  /** The last lines of an app, also of earlier runs; oldest first, at most `count` (default 200). */
  logs(name: string, count?: number): Promise<LogLine[]>;

  /** Installs (or updates) the app in a folder of this machine. Jobs run one after another. */
  install(folder: string): Job;
  /** @throws `app-not-found`, `app-already-running` when it holds the slot */
  remove(name: string): Promise<Job>;
  /** The newest first. */
  jobs(): Job[];
  /** @throws `job-not-found` */
  job(id: string): Job;
  /** Settles when the job is over. @throws `job-not-found` */
  jobDone(id: string): Promise<Job>;
  /** Ends the job and puts everything back as it was. Final jobs stay as they are. @throws `job-not-found` */
  cancelJob(id: string): Promise<Job>;

  /** The app that starts whenever the robot has woken up and the slot is free. */
  startupApp(): string | null;
  setStartupApp(name: string | null): Promise<void>;

  onEvent(listener: AppListener): Unsubscribe;
  /** Refuses all starts from now on, ends the running app and job, and settles when nothing of them is left. */
  shutdown(): Promise<void>;
}
