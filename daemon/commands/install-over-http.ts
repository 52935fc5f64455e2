import { resolve } from "node:path";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { Job, type JobStage } from "../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { isAddress } from "../apps/hub/space-address.ts";
import { codeOf, DaemonClient, NoAnswer, tokenIn } from "./daemon-client.ts";

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

const POLL_MS = 200;
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
  const { job_id } = parseOrThrow(
    Job.pick({ job_id: true }),
    await client.ask("POST", "/api/apps/install", what),
    "job",
  );
  let seen = 0;
  let stage: JobStage | null = null;
  let answeredAt = performance.now();
  for (; ; await new Promise((done) => setTimeout(done, POLL_MS))) {
    if (signal.aborted) {
      // Whatever the daemon says to that, the person has cancelled.
      await client.ask("POST", `/api/apps/job-cancel/${job_id}`).catch(() => {});
      throw signal.reason;
    }
    const answer = await client.ask("GET", `/api/apps/job-status/${job_id}?after=${seen}`).catch((error) => {
      if (error instanceof NoAnswer && performance.now() - answeredAt < LOST_MS) return error;
      throw error;
    });
    if (answer instanceof NoAnswer) continue;
    answeredAt = performance.now();
    const job = parseOrThrow(Job, answer, "job");
    job.logs.forEach(onProgress);
    seen = job.log_lines;
    if (job.stage !== null && job.stage !== stage) onStage(job.stage);
    stage = job.stage;
    if (job.status === "done") return installedApp(job.result);
    if (job.status === "cancelled")
      throw new WorkbenchError("install-failed", "The install was cancelled by another client.");
    if (job.status === "failed")
      throw new WorkbenchError(codeOf(job.code, "install-failed"), job.error ?? "The install failed.");
  }
}

function installedApp(result: AppInfo | null): AppInfo {
  if (result !== null) return result;
  throw new WorkbenchError(
    "install-failed",
    "The install is done, but the daemon does not say which app it installed.",
  );
}
