import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { PUBLIC_HUB } from "../../robot/wire/app-package.ts";
import { matching } from "../../robot/wire/app-search.ts";
import type { AppCatalogue, AppInfo, AppStatus, AppUpdate } from "../../robot/wire/apps.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Job } from "../../robot/wire/jobs.ts";
import type { Clock } from "../clock.ts";
import type { Robot } from "../control/robot.ts";
import type { AppListener, LogLine } from "./app-events.ts";
import { AppFinder } from "./catalogue/app-finder.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import { CommunityApps } from "./catalogue/community-apps.ts";
import { isAppName } from "./catalogue/names.ts";
import { EventBus } from "./event-bus.ts";
import { Hub, type HubOptions } from "./hub/hub.ts";
import { type InstallParts, installApp, removeApp } from "./install/install-app.ts";
import { Jobs } from "./install/jobs.ts";
import { Records } from "./install/records.ts";
import { Reservations } from "./install/reservations.ts";
import { sourceOf } from "./install/source-of.ts";
import { stagingIn } from "./install/staging.ts";
import { originOf, updatesOf } from "./install/updates.ts";
import { recoverVenv } from "./install/venv-lock.ts";
import { Slot } from "./slot/slot.ts";
import { StartupFetch } from "./startup/fetch-startup-app.ts";
import { recallName, rememberName } from "./startup/remembered-name.ts";
import { StartupApp } from "./startup/startup-app.ts";
import { endLeftovers } from "./stop/running-note.ts";
import { supervisor } from "./supervise.ts";
import { LogFiles } from "./watch/log-files.ts";

export interface AppHostOptions {
  /** Folder of all that the daemon keeps: logs, records, the startup app, the note of the running app. */
  dataDir: string;
  /** The apps' Python environment, as `ensureAppsVenv` made it. */
  venv: string;
  /** The `uv` program, or null to install with the environment's pip. */
  uv: string | null;
  robot: Robot;
  clock: Clock;
  /** The daemon's environment, read at every start of an app; it inherits all but what bends Python itself. */
  env: Readonly<Record<string, string | undefined>>;
  /** True while an SDK client that is not the app moves the robot: the startup app then stays out of its way. */
  remoteSessionActive(): boolean;
  /** The hub that apps come from. Default: the public one, without a token. */
  hub?: HubOptions;
  /** Takes the place of the remembered startup app for as long as this host lives. */
  startupApp?: string | null;
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

  /** What the hub offers, or what it offered last. @param refresh asks the hub even when it was asked just before */
  catalogue(query?: string, refresh?: boolean): Promise<AppCatalogue>;
  /**
   * Installs (or updates) the app of a space, by its address, or in a folder of this machine. Jobs run one after another.
   * @throws `address-refused`, `shutting-down`
   */
  install(source: string): Job;
  /** Installs an app again from where it came. @throws `app-not-found`, `bad-request`, as `install` */
  update(name: string): Promise<Job>;
  /** The installed apps whose space has moved on. @throws `hub-unreachable` */
  checkUpdates(): Promise<AppUpdate[]>;
  /** @throws `app-not-found` */
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
  /** Installs the startup app when it is not there but in the catalogue; tells a failure as a notice and never rejects. */
  fetchStartupApp(): Promise<void>;
  /**
   * Remembered across restarts; the app is installed or in the catalogue.
   * @throws `bad-request` for what is no name, `app-not-found`, `hub-unreachable` when nobody knows of such an app
   */
  setStartupApp(name: string | null): Promise<void>;

  onEvent(listener: AppListener): Unsubscribe;
  /** Refuses all starts from now on, ends the running app and job, and settles when nothing of them is left. */
  shutdown(): Promise<void>;
}

const GRACE_MS = 5000;

/** Ends what an earlier daemon left running or half installed, and offers the slot. */
export async function createAppHost(options: AppHostOptions): Promise<AppHost> {
  const { dataDir, venv, uv, robot, clock, env, graceMs = GRACE_MS } = options;
  const inData = (name: string) => path.join(dataDir, name);
  const [noteFile, stagingDir, startupFile] = [
    inData("running-app.json"),
    stagingIn(dataDir),
    inData("startup-app.json"),
  ];
  const bus = new EventBus();
  const warn = (message: string) => bus.emit({ kind: "notice", level: "warning", message });

  const left = await endLeftovers(noteFile, clock);
  if (left !== null) warn(`${left} was still running from an earlier daemon; it was ended.`);
  await recoverVenv(venv, stagingDir, clock);

  const logs = new LogFiles(inData("logs"), warn);
  const onLine = (line: LogLine) => {
    logs.write(line);
    bus.emit({ kind: "log", line });
  };
  const catalogue = new Catalogue(venv);
  const records = new Records(dataDir);
  const reservations = new Reservations(() => slot.status());
  const slot = new Slot({
    find: (name) => finder.installed(name),
    admit: (app) => reservations.admit(app.info.name),
    launch: supervisor({ venv, workDir: inData("work"), noteFile, env, clock, graceMs, onLine }),
    robot,
    clock,
    onChange(status) {
      bus.emit({ kind: "slot", status });
      startup.onSlot(status);
    },
    onRestFailed: (reason) => warn(`After the app: ${reason}`),
  });
  const startup = new StartupApp(options.startupApp ?? (await recallName(startupFile)), {
    robot,
    slot,
    clock,
    fetch: (name) => startupFetch.fetch(name),
    remoteSessionActive: () => options.remoteSessionActive(),
    onProblem: warn,
  });
  const jobs = new Jobs(randomUUID, (job) => bus.emit({ kind: "job", job }));
  const reserve = (names: readonly string[]) => reservations.take(names);
  const installing: InstallParts = { venv, uv, env, catalogue, records, stagingDir, clock, reserve };
  const hub = new Hub(options.hub ?? { url: PUBLIC_HUB, token: null });
  const closing = new AbortController();
  const community = new CommunityApps(hub, dataDir, clock);
  const finder = new AppFinder(catalogue, community);
  const list = async () => records.complete((await catalogue.list()).map(({ info }) => info));
  const install = (from: string) => {
    const source = sourceOf(from, hub);
    return jobs.add(`install ${source.name}`, (run) => installApp(source, installing, run));
  };
  const startupFetch = new StartupFetch({
    addressOf: (name) => finder.addressOf(name, closing.signal),
    install: (address) => jobs.done(install(address).job_id),
  });

  return {
    list,
    status: () => slot.status(),
    start(name) {
      startup.standDown();
      return slot.start(name);
    },
    stop() {
      startup.standDown();
      return slot.stop();
    },
    restart() {
      startup.standDown();
      return slot.restart();
    },
    attach: (pid) => slot.attach(pid),
    logs: async (name, count = 200) => {
      const known = await finder.installed(name).catch((error) => {
        if (isAppName(name)) return { info: { name } };
        throw error;
      });
      return logs.read(known.info.name, count);
    },

    async catalogue(query = "", refresh = false) {
      const offered = await community.read(closing.signal, refresh);
      return { ...offered, apps: matching(offered.apps, query) };
    },
    install,
    async update(name) {
      const { info } = await finder.installed(name);
      const [app = info] = await records.complete([info]);
      return install(originOf(app).from);
    },
    checkUpdates: async () => updatesOf(await list(), hub, closing.signal),
    async remove(name) {
      const { info } = await finder.installed(name);
      return jobs.add(`remove ${info.name}`, (run) => removeApp(info.name, installing, run).then(() => null));
    },
    jobs: () => jobs.list(),
    job: (id) => jobs.get(id),
    jobDone: (id) => jobs.done(id),
    cancelJob: (id) => jobs.cancel(id),

    startupApp: () => startup.name,
    fetchStartupApp: () => startup.prepare(),
    async setStartupApp(name) {
      if (name !== null && !isAppName(name)) {
        throw new WorkbenchError(
          "bad-request",
          `${JSON.stringify(name)} is no app name: letters, digits, ".", "_", "-".`,
        );
      }
      if (name !== null) await finder.addressOf(name, closing.signal);
      await rememberName(startupFile, name);
      startup.name = name;
      bus.emit({ kind: "startup-app", name });
    },

    onEvent: (listener) => bus.on(listener),
    async shutdown() {
      startup.close();
      closing.abort(new WorkbenchError("shutting-down", "The daemon is shutting down."));
      await Promise.all([slot.close(), jobs.close()]);
      await logs.flush();
    },
  };
}
