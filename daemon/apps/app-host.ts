import { randomUUID } from "node:crypto";
import path from "node:path";
import { Emitter } from "../../common/emitter.ts";
import type { Clock } from "../../common/time/clock.ts";
import type { AppEvent, LogLine } from "../../robot/wire/apps/app-events.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { sameName } from "../../robot/wire/apps/app-search.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { withSystemCode } from "../files/system-error.ts";
import type { Robot } from "../robot-client/robot.ts";
import type { AppReader } from "./app-reader.ts";
import { AppFinder } from "./catalogue/app-finder.ts";
import { EXAMPLE } from "./catalogue/example-app.ts";
import { HubCatalogue } from "./catalogue/hub-catalogue.ts";
import { InstalledApps } from "./catalogue/installed-apps.ts";
import { OriginRecords } from "./catalogue/origin-records.ts";
import { AppDetailsReader } from "./details/app-details.ts";
import { CrashRestarts } from "./details/crash-restarts.ts";
import { HubClient, type HubOptions } from "./hub/hub-client.ts";
import { AppInstaller, type AppRemoval } from "./install/app-installer.ts";
import { recoverOwnVenvs, recoverVenv } from "./install/environment/venv-lock.ts";
import { stagingFolderIn } from "./install/fetch/staging.ts";
import type { InstallParts } from "./install/install-parts.ts";
import { Jobs } from "./install/jobs/jobs.ts";
import { removeApp } from "./install/remove-app.ts";
import { AppLocks } from "./slot/app-locks.ts";
import { EnvironmentLock } from "./slot/environment-lock.ts";
import { Slot } from "./slot/slot.ts";
import { createLauncher } from "./start/app-launcher.ts";
import { withPagePort } from "./start/page-port.ts";
import { type AppMachine, thisAppMachine } from "./start/spawn-main-process.ts";
import { WarmInterpreter } from "./start/warm-interpreter.ts";
import { readStartupAppName, StartupApp, writeStartupAppName } from "./startup/startup-app.ts";
import { OrphanedApp } from "./stop/orphaned-app.ts";
import { AppLogs, failureNote } from "./watch/app-logs.ts";
import { LogFiles } from "./watch/log-files.ts";

/** Changes the packages of the apps' environments. */
interface Packages {
  /** Rolls back what killed programs left unfinished. */
  recover(place: { dataDir: string; venv: string; stagingDir: string; clock: Clock }): Promise<void>;
  remove: AppRemoval;
}

interface AppHostOptions extends Pick<InstallParts, "uv" | "sdkPath" | "clock"> {
  /** Folder of everything that the daemon keeps: logs, origins, the startup app's name, the file of the running app. */
  dataDir: string;
  /** The apps' Python environment, as `ensureAppsVenv` created it. */
  venv: string;
  robot: Robot;
  /** The daemon's environment, read at every start of an app. Apps inherit all of it but Python overrides. */
  env: Readonly<Record<string, string | undefined>>;
  /** The hub that apps come from. Default: the public one, without a token. */
  hub?: HubOptions;
  /** Replaces the remembered startup app until another one is chosen. */
  startupApp?: string | null;
  /** Milliseconds between SIGINT and SIGTERM. Default 5000. */
  graceMs?: number;
  /** Whether a Python interpreter is kept ready for the next start of the app that ran last. Default false. */
  warmStart?: boolean;
  /** Without it, no app is refused for its code. */
  reader?: AppReader | undefined;
  /** The machine that apps run on. Default: this one. */
  machine?: AppMachine;
  /** Default: with pip or uv. */
  packages?: Packages;
  /** What went wrong before; reported as warnings. */
  problems?: readonly string[];
}

/** Hosts at most one app at a time on the robot. Its parts reject with a WorkbenchError. */
export interface AppHost {
  readonly slot: Slot;
  readonly installed: InstalledApps;
  readonly catalogue: HubCatalogue;
  readonly installer: AppInstaller;
  readonly jobs: Jobs;
  readonly logs: AppLogs;
  /** Idle until its `begin` is called. */
  readonly startupApp: StartupApp;
  readonly details: AppDetailsReader;
  /** The hub that apps come from. */
  readonly hub: HubClient;
  /** Everything that happens, in order; what happens before the first listener is there waits for it. */
  readonly events: Emitter<AppEvent>;
  /** Refuses all starts from now on, stops the running app, cancels all jobs, and settles when that is done. */
  close(): Promise<void>;
}

const GRACE_MS = 5000;
const PACKAGES: Packages = {
  recover: async ({ dataDir, venv, stagingDir, clock }) => {
    await recoverVenv(venv, stagingDir, clock);
    await recoverOwnVenvs(dataDir, stagingDir, clock);
  },
  remove: removeApp,
};

/** Events that wait for the first listener. */
const EVENT_BACKLOG = 100;

/** Cleans up after a killed daemon, then puts together what hosting apps takes. */
export async function createAppHost(options: AppHostOptions): Promise<AppHost> {
  const { dataDir, venv, uv, robot, clock, env, graceMs = GRACE_MS, machine = thisAppMachine } = options;
  const { packages = PACKAGES } = options;
  const inDataDir = (name: string) => path.join(dataDir, name);
  const [runningAppFile, startupAppFile] = [inDataDir("running-app.json"), inDataDir("startup-app.json")];
  const stagingDir = stagingFolderIn(dataDir);
  const closing = new AbortController();
  const events = new Emitter<AppEvent>(EVENT_BACKLOG);
  const warn = (message: string) => events.emit({ kind: "notice", level: "warning", message });

  for (const problem of options.problems ?? []) warn(problem);
  const orphan = new OrphanedApp({ file: runningAppFile, clock, machine, onFound: warn });
  await orphan.end().catch((error) => warn(problemOf(withSystemCode(error)).detail));
  await packages.recover({ dataDir, venv, stagingDir, clock });

  const hub = new HubClient(options.hub ?? { url: PUBLIC_HUB, token: null });
  const origins = new OriginRecords(venv, dataDir);
  const installed = new InstalledApps(venv, origins, dataDir, () => clock.now());
  const catalogue = new HubCatalogue(hub, { dataDir, clock, closing: closing.signal });
  const environmentLock = new EnvironmentLock(clock);
  const finder = new AppFinder(installed, catalogue, () => environmentLock.waitForChange());

  const logFiles = new LogFiles(inDataDir("logs"), warn);
  const onLine = (line: LogLine) => events.emit({ kind: "log", line });
  const logs = new AppLogs({ files: logFiles, finder, clock, onLine });
  const locks = new AppLocks();
  const warmInterpreter = options.warmStart ? new WarmInterpreter(clock) : undefined;
  const launch = createLauncher({
    ...{ venv, workDir: inDataDir("work"), runningAppFile, env, clock, graceMs, logs, machine, warmInterpreter },
    onProcess: (event) => events.emit({ kind: "process", event }),
  });
  const slot: Slot = new Slot({
    find: async (name) => {
      const app = await finder.findInstalled(name);
      const running = slot.busy ? slot.status() : null;
      const found = await withPagePort(app, running, sameName(app.info.name, EXAMPLE));
      if (found.page?.port !== undefined)
        logs.addNote(app.info.name, `its page is at ${found.info.extra.custom_app_url}: another program has its port`);
      return found;
    },
    lock: ({ info }) => locks.lockToRun(info.name),
    environmentReady: ({ info }, signal) =>
      environmentLock.start(info.name, {
        signal,
        onWait: (what) => logs.addNote(info.name, `starts later: ${what} is under way`),
      }),
    launch: (app) => orphan.end().then(() => launch(app)),
    robot,
    clock,
    onReturnFailed: (reason) => warn(`After the app: ${reason}`),
    whyNotByItself: () => startupApp.whyNotByItself(),
    whyNeverRan: async ({ info, module, file }) =>
      file === null || options.reader === undefined ? null : options.reader.whyNeverRan({ info, module, file }),
  });
  slot.changes.on((status) => {
    if (status.state === "error") logs.addNote(status.info.name, failureNote(status.error ?? "it failed"));
    events.emit({ kind: "slot", status });
  });

  const crashRestarts = await CrashRestarts.open({
    slot,
    clock,
    file: inDataDir("restart-after-crash.json"),
    onRestart: warn,
  });
  const details = new AppDetailsReader({
    find: (name) => finder.findInstalled(name),
    workDir: inDataDir("work"),
    reader: options.reader,
    locks,
    restarts: crashRestarts,
    hub,
  });

  const jobs = new Jobs(randomUUID, (job) => events.emit({ kind: "job", job }), clock);
  const installer = new AppInstaller({
    venv,
    uv,
    env,
    clock,
    stagingDir,
    sdkPath: options.sdkPath,
    reader: options.reader,
    installed,
    origins,
    hub,
    finder,
    jobs,
    remove: packages.remove,
    closing: closing.signal,
    lockApps: (names) => locks.lockToChange(names),
    duringChange: (what, { signal, log }, change) =>
      environmentLock.during(what, { signal, onWait: (app) => log(`waits until ${app} has started`) }, change),
  });

  const startupApp = new StartupApp(options.startupApp ?? (await readStartupAppName(startupAppFile)), {
    robot,
    slot,
    clock,
    checkAvailable: async (name) => void (await finder.addressOf(name)),
    ensureInstalled: (name) => installer.ensureInstalled(name),
    save: (name) => writeStartupAppName(startupAppFile, name),
    onProblem: warn,
    onStart: (message) => events.emit({ kind: "notice", level: "info", message }),
  });
  startupApp.changes.on((name) => events.emit({ kind: "startup-app", name }));

  return {
    slot,
    installed,
    catalogue,
    installer,
    jobs,
    logs,
    startupApp,
    details,
    hub,
    events,
    async close() {
      startupApp.close();
      crashRestarts.close();
      closing.abort(new WorkbenchError("shutting-down", "The daemon is shutting down."));
      await Promise.all([slot.close(), jobs.close()]);
      await warmInterpreter?.close();
      await logFiles.flush();
    },
  };
}
