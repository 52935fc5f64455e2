import { resolve } from "node:path";
import { createParser } from "eventsource-parser";
import { z } from "zod";
import { LogLine } from "../../robot/wire/apps/app-events.ts";
import { AppInfo, AppStatus } from "../../robot/wire/apps/app-status.ts";
import { Job } from "../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { readProject } from "../apps/install/check/project.ts";
import type { AppInvocation } from "../command-line/app-commands.ts";
import type { CommandContext } from "./command-context.ts";
import { codeOf, type DaemonClient } from "./daemon-client.ts";
import { findDaemon } from "./find-daemon.ts";

/** Milliseconds between two looks at a job. */
const POLL_MS = 150;
/** Milliseconds that a robot needs at most to wake up. */
const WAKE_UP_MS = 30_000;
/** Milliseconds after which an app that still loads its modules is shown as starting. */
const START_MS = 60_000;

const DaemonStatus = z.looseObject({
  state: z.string(),
  version: z.string(),
  error: z.string().nullable(),
  simulation_enabled: z.boolean().optional(),
  backend_status: z.looseObject({ motor_control_mode: z.string() }).nullish(),
});
type DaemonStatus = z.infer<typeof DaemonStatus>;

/**
 * `robot-daemon list`, `status`, `start`, `stop`, `restart`, `logs` and `remove`: ask the daemon that runs on the data
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
      const apps = parseOrThrow(z.array(AppInfo), await client.ask("GET", "/api/apps/list"), "list of apps");
      return show(apps, listOf(apps));
    }
    case "status": {
      const [daemon, app] = await Promise.all([client.ask("GET", "/api/daemon/status"), currentApp(client)]);
      const status = parseOrThrow(DaemonStatus, daemon, "status");
      return show({ url: client.url, daemon, app }, statusOf(client.url, status, app));
    }
    case "start":
      return showApp(await startApp(client, action.app ?? (await appHere()), action.replace), show);
    case "stop":
      await checkRuns(client, action.app);
      return showApp(await client.ask("POST", "/api/apps/stop-current-app"), show);
    case "restart":
      await checkRuns(client, action.app);
      await client.ask("POST", "/api/apps/restart-current-app");
      return showApp(await awaitStart(client), show);
    case "remove": {
      const app = action.app ?? (await appHere());
      const job = await awaitJob(client, await client.ask("POST", `/api/apps/remove/${encodeURIComponent(app)}`));
      return show(job, `${app} is removed.`);
    }
    case "logs":
      // Ctrl-C is how a person ends what goes on until then.
      return showLogs(action, client, show).catch((error) => {
        if (!(action.follow && interrupted.aborted)) throw error;
      });
  }
}

const currentApp = async (client: DaemonClient): Promise<AppStatus | null> =>
  parseOrThrow(AppStatus.nullable(), await client.ask("GET", "/api/apps/current-app-status"), "app");

const hasEnded = (app: AppStatus | null): boolean => app === null || app.state === "done" || app.state === "error";

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
  const installed = parseOrThrow(z.array(AppInfo), await client.ask("GET", "/api/apps/list"), "list of apps");
  const isFree = hasEnded(await currentApp(client));
  const isWoken = installed.some(({ name }) => name === app) && (await wakeUp(client));
  // A startup app starts when the robot has woken up; the one that is asked for takes its place.
  const query = replace || (isFree && isWoken) ? "?replace=true" : "";
  await client.ask("POST", `/api/apps/start-app/${encodeURIComponent(app)}${query}`).catch(async (error) => {
    if (!(error instanceof WorkbenchError && error.code === "app-already-running")) throw error;
    const running = (await currentApp(client))?.info.name ?? "An app";
    const next = running === app ? `robot-daemon restart` : `robot-daemon start ${app} --replace`;
    throw new WorkbenchError("app-already-running", `${running} runs already: ${next} stops it first.`);
  });
  return awaitStart(client);
}

/** Returns whether the robot was asleep. */
async function wakeUp(client: DaemonClient): Promise<boolean> {
  const status = parseOrThrow(DaemonStatus, await client.ask("GET", "/api/daemon/status"), "status");
  if (status.state !== "running" || status.backend_status?.motor_control_mode !== "disabled") return false;
  await client.ask("POST", "/api/move/play/wake_up");
  const isMoving = async () => ((await client.ask("GET", "/api/move/running")) as unknown[]).length > 0;
  const end = performance.now() + WAKE_UP_MS;
  while ((await isMoving()) && performance.now() < end) await new Promise((done) => setTimeout(done, POLL_MS));
  return true;
}

/** The app's status once its start has ended, well or badly, or after a minute. */
async function awaitStart(client: DaemonClient): Promise<AppStatus> {
  const end = performance.now() + START_MS;
  for (; ; await new Promise((done) => setTimeout(done, POLL_MS))) {
    const app = await currentApp(client);
    if (app === null) throw new WorkbenchError("no-app-running", "The app was removed while it started.");
    if (app.state !== "starting" || performance.now() > end) return app;
  }
}

/** @throws WorkbenchError `no-app-running` when an app is named and does not run */
async function checkRuns(client: DaemonClient, named: string | null): Promise<void> {
  const app = await currentApp(client);
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
  const { job_id } = parseOrThrow(Job.pick({ job_id: true }), answer, "job");
  for (; ; await new Promise((done) => setTimeout(done, POLL_MS))) {
    const job = parseOrThrow(Job, await client.ask("GET", `/api/apps/job-status/${job_id}`), "job");
    if (job.status === "done") return job;
    if (job.status === "failed" || job.status === "cancelled")
      throw new WorkbenchError(codeOf(job.code, "install-failed"), job.error ?? `The job was ${job.status}.`);
  }
}

type LogsAction = Extract<AppInvocation["action"], { action: "logs" }>;

async function showLogs(
  { app, lines, follow }: LogsAction,
  client: DaemonClient,
  show: (answer: unknown, text: string) => void,
): Promise<void> {
  const name = app ?? (await currentApp(client))?.info.name;
  if (name === undefined)
    throw new WorkbenchError("no-app-running", "No app has run yet: name one, robot-daemon logs APP_NAME.");
  if (follow) await checkInstalled(client, name);
  const path = `/api/apps/logs/${encodeURIComponent(name)}?lines=${lines}`;
  const showLine = (line: LogLine): void => show(line, line.text);
  if (!follow) {
    const answer = await client.ask("GET", path);
    const { lines: found } = parseOrThrow(z.object({ lines: z.array(LogLine) }), answer, "log");
    if (found.length === 0) await checkInstalled(client, name);
    return found.forEach(showLine);
  }
  const response = await client.open("GET", `${path}&follow=true`);
  const parser = createParser({ onEvent: ({ data }) => showLine(parseOrThrow(LogLine, JSON.parse(data), "line")) });
  const decoder = new TextDecoder();
  for await (const bytes of response.body as AsyncIterable<Uint8Array>)
    parser.feed(decoder.decode(bytes, { stream: true }));
}

/** @throws WorkbenchError `app-not-found` with the names of the apps that are installed */
async function checkInstalled(client: DaemonClient, name: string): Promise<void> {
  const apps = parseOrThrow(z.array(AppInfo), await client.ask("GET", "/api/apps/list"), "list of apps");
  if (apps.some((app) => app.name === name)) return;
  const names = apps.map((app) => app.name).join(", ") || "none";
  throw new WorkbenchError("app-not-found", `No app named "${name}" is installed. Installed: ${names}.`);
}
