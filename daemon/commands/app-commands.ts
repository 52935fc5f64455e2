import { resolve } from "node:path";
import { z } from "zod";
import { codeOf, DaemonClient } from "../../robot/rest/daemon-client.ts";
import { LogLine } from "../../robot/wire/apps/app-events.ts";
import { AppInfo, AppStatus } from "../../robot/wire/apps/app-status.ts";
import type { Job } from "../../robot/wire/apps/jobs.ts";
import type { DaemonStatus } from "../../robot/wire/daemon-status.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { readProject } from "../apps/install/check/project.ts";
import type { AppInvocation } from "../command-line/app-commands.ts";
import { findDataFolderHolder } from "../data-folder/data-folder.ts";
import { tokenIn } from "../network/access-token.ts";
import type { CommandContext } from "./command-context.ts";

/** Milliseconds between two looks at an app that starts. */
const POLL_MS = 150;
/** Milliseconds after which an app that still loads its modules is shown as starting. */
const START_MS = 60_000;

/**
 * `robot-daemon list`, `status`, `start`, `stop`, `restart`, `logs`, `reset-data` and `remove`: ask the daemon that runs on the data
 * folder, or at an address.
 * @throws WorkbenchError `daemon-unreachable` when none runs there; what the daemon answers; `Interrupted`
 */
export async function runAppCommand(invocation: AppInvocation, context: CommandContext): Promise<void> {
  const { action, json } = invocation;
  const { print, interrupted } = context;
  const client = await findDaemon(invocation, context);
  const show = (answer: unknown, text: string): void => print(json ? `${JSON.stringify(answer)}\n` : `${text}\n`);
  switch (action.action) {
    case "list": {
      const apps = await installedApps(client);
      return show(apps, listOf(apps));
    }
    case "status": {
      const [daemon, app] = await Promise.all([client.status(), client.currentApp()]);
      return show({ url: client.url, daemon, app }, statusOf(client.url, daemon, app));
    }
    case "start":
      return showApp(await startApp(client, action.app ?? (await appHere()), action.replace), show);
    case "stop":
      await checkRuns(client, action.app);
      return showApp(await client.request("POST", "/api/apps/stop-current-app"), show);
    case "restart":
      await checkRuns(client, action.app);
      await client.request("POST", "/api/apps/restart-current-app");
      return showApp(await awaitStart(client), show);
    case "reset-data": {
      const app = action.app ?? (await appHere());
      const details = await client.request("POST", `/api/apps/reset-data/${encodeURIComponent(app)}`);
      return show(details, `The data of ${app} are deleted.`);
    }
    case "remove": {
      const app = action.app ?? (await appHere());
      const job = await awaitJob(client, await client.request("POST", `/api/apps/remove/${encodeURIComponent(app)}`));
      return show(job, `${app} is removed.`);
    }
    case "logs":
      // Ctrl-C is how a person ends what goes on until then.
      return showLogs(action, client, show).catch((error) => {
        if (!(action.follow && interrupted.aborted)) throw error;
      });
  }
}

/**
 * The daemon at an address, or the one that uses the data folder.
 * @throws WorkbenchError `daemon-unreachable` when no daemon uses the data folder
 */
async function findDaemon({ url, dataDir }: AppInvocation, context: CommandContext): Promise<DaemonClient> {
  const { env, interrupted: signal, commandFor } = context;
  // The token of a data folder is for its daemon alone.
  if (url !== null) return new DaemonClient({ url, token: env.ROBOT_DAEMON_TOKEN ?? "", signal });
  const holder = await findDataFolderHolder(dataDir);
  if (holder?.url) return new DaemonClient({ url: holder.url, token: await tokenIn(dataDir), signal });
  if (holder?.doing === "daemon")
    throw new WorkbenchError("daemon-unreachable", `The robot-daemon of process ${holder.pid} is starting; try again.`);
  throw new WorkbenchError(
    "daemon-unreachable",
    `No robot-daemon uses the data folder ${dataDir}: start one with ${commandFor("robot-daemon")} --sim, or name another with --data-dir or --url.`,
  );
}

const hasEnded = (app: AppStatus | null): boolean => app === null || app.state === "done" || app.state === "error";

const installedApps = async (client: DaemonClient): Promise<AppInfo[]> =>
  parseOrThrow(z.array(AppInfo), await client.request("GET", "/api/apps/list"), "list of apps");

/** The app in the working directory. @throws WorkbenchError `usage` when there is none */
async function appHere(): Promise<string> {
  const project = await readProject(resolve(".")).catch((error: Error) => {
    throw new WorkbenchError("usage", `Name an app, or go to the folder of one: ${error.message}`);
  });
  return project.entryPoints[0]?.key ?? "";
}

/**
 * Wakes a sleeping robot up, since no app can move it, and starts the app.
 * @throws WorkbenchError what the daemon answers; `app-already-running` with the command that replaces the app
 */
async function startApp(client: DaemonClient, app: string, replace: boolean): Promise<AppStatus> {
  const installed = await installedApps(client);
  const isFree = hasEnded(await client.currentApp());
  const isWoken = installed.some(({ name }) => name === app) && (await client.wakeUp());
  // A startup app starts when the robot has woken up; the one that is asked for takes its place.
  await client.startApp(app, { replace: replace || (isFree && isWoken) }).catch(async (error) => {
    if (!(error instanceof WorkbenchError && error.code === "app-already-running")) throw error;
    const running = (await client.currentApp())?.info.name ?? "An app";
    const next = running === app ? `robot-daemon restart` : `robot-daemon start ${app} --replace`;
    throw new WorkbenchError("app-already-running", `${running} runs already: ${next} stops it first.`);
  });
  return awaitStart(client);
}

/** The app's status once its start has ended, well or badly, or after a minute. */
async function awaitStart(client: DaemonClient): Promise<AppStatus> {
  const end = performance.now() + START_MS;
  for (; ; await new Promise((done) => setTimeout(done, POLL_MS))) {
    const app = await client.currentApp();
    if (app === null) throw new WorkbenchError("no-app-running", "The app was removed while it started.");
    if (app.state !== "starting" || performance.now() > end) return app;
  }
}

/** @throws WorkbenchError `no-app-running` when an app is named and does not run */
async function checkRuns(client: DaemonClient, named: string | null): Promise<void> {
  const app = await client.currentApp();
  if (named === null || (!hasEnded(app) && app?.info.name === named)) return;
  const what = app === null || hasEnded(app) ? "no app runs" : `${app.info.name} runs`;
  throw new WorkbenchError("no-app-running", `${named} does not run: ${what}.`);
}

function listOf(apps: readonly AppInfo[]): string {
  if (apps.length === 0) return "No app is installed: robot-daemon install FOLDER installs one.";
  const width = Math.max(...apps.map(({ name }) => name.length));
  return apps
    .map(({ name, extra, description }) => `${name.padEnd(width)}  ${extra.version ?? ""}  ${description}`.trimEnd())
    .join("\n");
}

function statusOf(url: string, daemon: DaemonStatus, app: AppStatus | null): string {
  const { version, state, error, simulation_enabled, backend_status } = daemon;
  const robot = simulation_enabled === true ? "simulated robot" : "physical robot";
  const asleep = backend_status?.motor_control_mode === "disabled" ? ", motors off" : "";
  const problem = error === null ? "" : ` (${error})`;
  const last = app === null ? "no app has run" : appLine(app);
  return `robot-daemon ${version} at ${url}/\n${robot}: ${state}${asleep}${problem}\n${last}`;
}

const STATE_WORDS: Partial<Record<AppStatus["state"], string>> = { done: "ended", error: "failed" };

const appLine = ({ info, state, error }: AppStatus): string =>
  `${info.name}: ${STATE_WORDS[state] ?? state}${error === null ? "" : `: ${error}`}`;

/** @throws WorkbenchError `app-start-failed` when the app failed */
function showApp(answer: unknown, show: (answer: unknown, text: string) => void): void {
  const app = parseOrThrow(AppStatus, answer, "app");
  if (app.state === "error") throw new WorkbenchError("app-start-failed", appLine(app));
  show(app, appLine(app));
}

/** @throws WorkbenchError why the job failed */
async function awaitJob(client: DaemonClient, answer: unknown): Promise<Job> {
  const job = await client.followJob(answer);
  if (job.status === "done") return job;
  throw new WorkbenchError(codeOf(job.code, "install-failed"), job.error ?? `The job was ${job.status}.`);
}

type LogsAction = Extract<AppInvocation["action"], { action: "logs" }>;

async function showLogs(
  { app, lines, follow }: LogsAction,
  client: DaemonClient,
  show: (answer: unknown, text: string) => void,
): Promise<void> {
  const name = app ?? (await client.currentApp())?.info.name;
  if (name === undefined)
    throw new WorkbenchError("no-app-running", "No app has run yet: name one, robot-daemon logs APP_NAME.");
  if (follow) await checkInstalled(client, name);
  const path = `/api/apps/logs/${encodeURIComponent(name)}?lines=${lines}`;
  const showLine = (line: LogLine): void => show(line, line.text);
  if (!follow) {
    const answer = await client.request("GET", path);
    const { lines: found } = parseOrThrow(z.object({ lines: z.array(LogLine) }), answer, "log");
    if (found.length === 0) await checkInstalled(client, name);
    return found.forEach(showLine);
  }
  const onEvent = (_: string, line: unknown): void => showLine(parseOrThrow(LogLine, line, "line"));
  await (await client.openEvents(`${path}&follow=true`, onEvent)).ended;
}

/** @throws WorkbenchError `app-not-found` with the names of the apps that are installed */
async function checkInstalled(client: DaemonClient, name: string): Promise<void> {
  const apps = await installedApps(client);
  if (apps.some((app) => app.name === name)) return;
  const names = apps.map((app) => app.name).join(", ") || "none";
  throw new WorkbenchError("app-not-found", `No app named "${name}" is installed. Installed: ${names}.`);
}
