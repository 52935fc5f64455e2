import { resolve } from "node:path";
import { codeOf, DaemonClient } from "../../robot/rest/daemon-client.ts";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import type { Job, JobStage } from "../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { HubClient, type HubOptions } from "../apps/hub/hub-client.ts";
import { isAddress } from "../apps/hub/space-address.ts";
import { sdkSourceIn } from "../apps/install/environment/sdk-source.ts";
import { parseSource } from "../apps/install/fetch/parse-source.ts";
import type { InstallInvocation } from "../command-line/invocation.ts";
import { type DataFolderHolder, dataFolderInUseError, tryOpenDataFolder } from "../data-folder/data-folder.ts";
import { tokenIn } from "../network/access-token.ts";
import { prepareAndInstall } from "../start/prepare.ts";
import { type CommandContext, stepReporter } from "./command-context.ts";
import { InstallView, nextSteps } from "./install-view.ts";

/** Milliseconds between two checks of a data folder that another program uses. */
const POLL_MS = 200;

/** The token for private spaces comes from the environment, so that no command line shows it. */
export const hubOptions = (url: string, env: NodeJS.ProcessEnv): HubOptions => ({ url, token: env.HF_TOKEN ?? null });

/**
 * `robot-daemon install SOURCE`. When what the app needs does not fit what other apps need, a person is asked whether the
 * app gets an environment of its own.
 * @throws WorkbenchError why the app cannot be installed; `Interrupted`
 */
export async function install(invocation: InstallInvocation, context: CommandContext): Promise<void> {
  try {
    await installOnce(invocation, context);
  } catch (error) {
    const isConflict = error instanceof WorkbenchError && error.code === "dependency-conflict";
    if (!isConflict || invocation.isolated || !context.isInteractive) throw error;
    context.report(`${error.message}\n`);
    if (!(await context.confirm("Install it again, in an environment of its own?"))) throw error;
    await installOnce({ ...invocation, isolated: true }, context);
  }
}

/**
 * Installs once, from a folder or the address of a space. When a daemon uses the data folder, that daemon installs the app,
 * because it owns the apps, the slot and the records. Waits while another install runs.
 *
 * @throws WorkbenchError `address-refused`; `app-invalid` before anything is prepared; `data-folder-in-use` for a daemon with
 *   another environment; why the app cannot be installed; `Interrupted`
 */
async function installOnce(invocation: InstallInvocation, context: CommandContext): Promise<void> {
  const { source, isolated, dataDir, venv, hubUrl } = invocation;
  const { env, packageDir, interrupted: signal, reader } = context;
  const from = parseSource(source, new HubClient(hubOptions(hubUrl, env)));
  await from.check?.();
  const view = new InstallView(context.report);
  const step = stepReporter(context);
  const name = `app ${source}`;
  const showResult = async (url: string | null, work: () => Promise<AppInfo>): Promise<void> => {
    const app = await work().catch((error: unknown) => {
      view.showLastLines();
      throw error;
    });
    if (invocation.json) context.print(`${JSON.stringify(app)}\n`);
    else context.report(nextSteps({ app, url, dataDir, env, command: context.commandFor("robot-daemon") }));
  };
  for (let waited = false; ; waited = true) {
    signal.throwIfAborted();
    const opened = await tryOpenDataFolder(dataDir, { doing: "install", url: null, venv });
    if ("close" in opened) {
      const sdkFolder = sdkSourceIn(packageDir);
      const choice = isolated ? { isolated } : {};
      const onRenamed = (text: string): void => context.report(`${text}\n`);
      const options = { dataDir, venv, sdkFolder, env, step, signal, reader, onRenamed, ...choice, ...view };
      return await showResult(null, () => prepareAndInstall(from, name, options).finally(opened.close));
    }
    // Its address and its port are those of its own container.
    if (opened.doing === "daemon" && opened.pid === null) throw dataFolderInUseError(dataDir, opened);
    if (opened.doing === "daemon" && opened.url !== null) {
      return await showResult(opened.url, () =>
        step(name, () => installThroughDaemon(opened, invocation, context, view)),
      );
    }
    if (!waited)
      context.report(
        `  … waiting for ${opened.pid === null ? "a program" : `process ${opened.pid}`}, which ${ACTIVITY[opened.doing]}\n`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const ACTIVITY = {
  daemon: "is a robot-daemon about to open its port",
  install: "installs an app",
} as const;

function installThroughDaemon(
  daemon: DataFolderHolder,
  { source, isolated, dataDir, venv }: InstallInvocation,
  { report, interrupted: signal }: CommandContext,
  view: InstallView,
): Promise<AppInfo> {
  if (daemon.venv !== venv) throw dataFolderInUseError(dataDir, daemon);
  report(`     through the robot-daemon of process ${daemon.pid} at ${daemon.url}\n`);
  return installOverHttp({ url: daemon.url ?? "", source, isolated, dataDir, signal, ...view });
}

interface InstallOverHttpOptions extends Pick<InstallInvocation, "source" | "isolated" | "dataDir"> {
  /** Of the daemon, `http://127.0.0.1:PORT`. */
  url: string;
  /** Called with every line of the job's log. */
  onProgress(line: string): void;
  /** Called with each stage of the job as it begins. */
  onStage(stage: JobStage): void;
  /** Cancels the job. */
  signal: AbortSignal;
}

const ANSWER_MS = 20_000;
/** Milliseconds without an answer after which a job that is followed counts as lost; the daemon may be busy installing. */
const LOST_MS = 60_000;

/**
 * Has a running daemon install an app and follows the job to its end.
 *
 * @throws WorkbenchError the error of the job or of the daemon's answer, `install-failed` when it does not answer; the
 *   signal's reason when aborted
 */
export async function installOverHttp(options: InstallOverHttpOptions): Promise<AppInfo> {
  const { source, isolated, onProgress, onStage, signal } = options;
  const client = new DaemonClient({ url: options.url, token: await tokenIn(options.dataDir), answerMs: ANSWER_MS });
  const what = {
    ...(isAddress(source) ? { url: source } : { path: resolve(source) }),
    ...(isolated && { isolated }),
  };
  let stage: JobStage | null = null;
  const onJob = (job: Job): void => {
    job.logs.forEach(onProgress);
    if (job.stage !== null && job.stage !== stage) onStage(job.stage);
    stage = job.stage;
  };
  const answer = await client.request("POST", "/api/apps/install", what);
  const { status, code, error, result } = await client.followJob(answer, { onJob, lostMs: LOST_MS, signal });
  if (status === "cancelled")
    throw new WorkbenchError("install-failed", "The install was cancelled by another client.");
  if (status !== "done") throw new WorkbenchError(codeOf(code, "install-failed"), error ?? "The install failed.");
  if (result !== null) return result;
  throw new WorkbenchError(
    "install-failed",
    "The install is done, but the daemon does not say which app it installed.",
  );
}
