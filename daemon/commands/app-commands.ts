import { existsSync } from "node:fs";
import { createParser } from "eventsource-parser";
import { z } from "zod";
import { LogLine } from "../../robot/wire/apps/app-events.ts";
import { AppInfo, AppStatus } from "../../robot/wire/apps/app-status.ts";
import { Job } from "../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import type { AppInvocation } from "../command-line/app-commands.ts";
import { tryOpenDataFolder } from "../data-folder/data-folder.ts";
import type { CommandContext } from "./command-context.ts";
import { codeOf, DaemonClient, tokenIn } from "./daemon-client.ts";

/** Milliseconds between two looks at a job. */
const POLL_MS = 150;

const DaemonStatus = z.looseObject({
  state: z.string(),
  version: z.string(),
  error: z.string().nullable(),
  simulation_enabled: z.boolean().optional(),
});

/**
 * `robot-daemon list`, `status`, `start`, `stop`, `restart`, `logs` and `remove`: ask the daemon that runs on the data
 * folder, or at an address.
 * @throws WorkbenchError `daemon-unreachable` when none runs there; what the daemon answers; `Interrupted`
 */
export async function runAppCommand(invocation: AppInvocation, context: CommandContext): Promise<void> {
  const { action, json } = invocation;
  const { print } = context;
  const client = await findDaemon(invocation, context);
  const show = (answer: unknown, text: string): void => print(json ? `${JSON.stringify(answer)}\n` : `${text}\n`);
  switch (action.action) {
    case "list": {
      const apps = parseOrThrow(z.array(AppInfo), await client.ask("GET", "/api/apps/list"), "list of apps");
      return show(apps, listOf(apps));
    }
    case "status": {
      const [daemon, app] = await Promise.all([client.ask("GET", "/api/daemon/status"), currentApp(client)]);
      return show(
        { url: client.url, daemon, app },
        statusOf(client.url, parseOrThrow(DaemonStatus, daemon, "status"), app),
      );
    }
    case "start": {
      const query = action.replace ? "?replace=true" : "";
      return showApp(await client.ask("POST", `/api/apps/start-app/${encodeURIComponent(action.app)}${query}`), show);
    }
    case "stop":
      return showApp(await client.ask("POST", "/api/apps/stop-current-app"), show);
    case "restart":
      return showApp(await client.ask("POST", "/api/apps/restart-current-app"), show);
    case "remove": {
      const job = await awaitJob(
        client,
        await client.ask("POST", `/api/apps/remove/${encodeURIComponent(action.app)}`),
      );
      return show(job, `${action.app} is removed.`);
    }
    case "logs":
      return showLogs(action, client, show);
  }
}

/** @throws WorkbenchError `daemon-unreachable` when no daemon uses the data folder */
async function findDaemon({ url, dataDir }: AppInvocation, context: CommandContext): Promise<DaemonClient> {
  const { env, interrupted: signal, commandFor } = context;
  // The token of a data folder is for its daemon alone.
  if (url !== null)
    return new DaemonClient({ url: url.replace(/\/+$/, ""), token: env.ROBOT_DAEMON_TOKEN ?? "", signal });
  const holder = existsSync(dataDir)
    ? await tryOpenDataFolder(dataDir, { doing: "install", url: null, venv: null })
    : null;
  if (holder !== null && "close" in holder) await holder.close();
  else if (holder?.url) return new DaemonClient({ url: holder.url, token: await tokenIn(dataDir), signal });
  else if (holder?.doing === "daemon")
    throw new WorkbenchError("daemon-unreachable", `The robot-daemon of process ${holder.pid} is starting; try again.`);
  throw new WorkbenchError(
    "daemon-unreachable",
    `No robot-daemon uses the data folder ${dataDir}: start one with ${commandFor("robot-daemon")} --sim, or name another with --data-dir or --url.`,
  );
}

const currentApp = async (client: DaemonClient): Promise<AppStatus | null> =>
  parseOrThrow(AppStatus.nullable(), await client.ask("GET", "/api/apps/current-app-status"), "app");

function listOf(apps: readonly AppInfo[]): string {
  if (apps.length === 0) return "No app is installed: robot-daemon install FOLDER installs one.";
  const width = Math.max(...apps.map(({ name }) => name.length));
  return apps
    .map(({ name, extra, description }) => `${name.padEnd(width)}  ${extra.version ?? ""}  ${description}`.trimEnd())
    .join("\n");
}

function statusOf(
  url: string,
  { version, state, error, simulation_enabled }: z.infer<typeof DaemonStatus>,
  app: AppStatus | null,
): string {
  const robot = simulation_enabled === true ? "simulated robot" : "physical robot";
  const problem = error === null ? "" : ` (${error})`;
  return `robot-daemon ${version} at ${url}/\n${robot}: ${state}${problem}\n${app === null ? "no app has run" : appLine(app)}`;
}

const appLine = ({ info, state, error }: AppStatus): string =>
  `${info.name}: ${state}${error === null ? "" : `: ${error}`}`;

function showApp(answer: unknown, show: (answer: unknown, text: string) => void): void {
  show(answer, appLine(parseOrThrow(AppStatus, answer, "app")));
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
  const path = `/api/apps/logs/${encodeURIComponent(name)}?lines=${lines}`;
  const showLine = (line: LogLine): void => show(line, line.text);
  if (!follow) {
    const answer = await client.ask("GET", path);
    return parseOrThrow(z.object({ lines: z.array(LogLine) }), answer, "log").lines.forEach(showLine);
  }
  const response = await client.open("GET", `${path}&follow=true`);
  const parser = createParser({ onEvent: ({ data }) => showLine(parseOrThrow(LogLine, JSON.parse(data), "line")) });
  const decoder = new TextDecoder();
  for await (const bytes of response.body as AsyncIterable<Uint8Array>)
    parser.feed(decoder.decode(bytes, { stream: true }));
}
