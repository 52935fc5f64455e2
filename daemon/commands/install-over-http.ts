import { resolve } from "node:path";
import { codeOf, DaemonClient } from "../../robot/rest/daemon-client.ts";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import type { Job, JobStage } from "../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { isAddress } from "../apps/hub/space-address.ts";
import { tokenIn } from "../network/access-token.ts";

interface InstallOverHttpOptions {
  /** Of the daemon, `http://127.0.0.1:PORT`. */
  url: string;
  /** Folder of an app, or the address of its space. */
  source: string;
  /** Gives the app an environment of its own. */
  isolated?: boolean;
  /** Where the daemon keeps its token, if it has one. */
  dataDir: string;
  /** Called with every line of the job's log. */
  onProgress: (line: string) => void;
  /** Called with each stage of the job as it begins. */
  onStage?: (stage: JobStage) => void;
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
  const { source, isolated = false, onProgress, onStage = () => {}, signal } = options;
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
  if (status === "done") return installedApp(result);
  if (status === "cancelled")
    throw new WorkbenchError("install-failed", "The install was cancelled by another client.");
  throw new WorkbenchError(codeOf(code, "install-failed"), error ?? "The install failed.");
}

function installedApp(result: AppInfo | null): AppInfo {
  if (result !== null) return result;
  throw new WorkbenchError(
    "install-failed",
    "The install is done, but the daemon does not say which app it installed.",
  );
}
