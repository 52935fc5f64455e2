import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { Job, type JobStage } from "../../robot/wire/apps/jobs.ts";
import { ERRORS, type ErrorCode, WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { isAddress } from "../apps/hub/space-address.ts";
import { tokenFile } from "../network/access-token.ts";

export interface InstallOverHttpOptions {
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
  const token = (await readFile(tokenFile(options.dataDir), "utf8").catch(() => "")).trim();
  const ask = (method: "GET" | "POST", path: string, body?: unknown) =>
    askDaemon(`${options.url}${path}`, { method, token, body });
  const what = {
    ...(isAddress(source) ? { url: source } : { path: resolve(source) }),
    ...(isolated && { isolated }),
  };
  const { job_id } = parseOrThrow(Job.pick({ job_id: true }), await ask("POST", "/api/apps/install", what), "job");
  let seen = 0;
  let stage: JobStage | null = null;
  let answeredAt = performance.now();
  for (; ; await new Promise((done) => setTimeout(done, POLL_MS))) {
    if (signal.aborted) {
      // Whatever the daemon says to that, the person has cancelled.
      await ask("POST", `/api/apps/job-cancel/${job_id}`).catch(() => {});
      throw signal.reason;
    }
    const answer = await ask("GET", `/api/apps/job-status/${job_id}?after=${seen}`).catch((error) => {
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
    if (job.status === "failed") throw new WorkbenchError(codeOf(job.code), job.error ?? "The install failed.");
  }
}

/** The daemon cannot be reached, or takes too long. */
class NoAnswer extends WorkbenchError {}

function installedApp(result: AppInfo | null): AppInfo {
  if (result !== null) return result;
  throw new WorkbenchError(
    "install-failed",
    "The install is done, but the daemon does not say which app it installed.",
  );
}

async function askDaemon(
  url: string,
  { method, token, body }: { method: string; token: string; body: unknown },
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS),
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error) => {
    throw new NoAnswer("install-failed", `The robot-daemon at ${url} does not answer; try again.`, {
      cause: error,
    });
  });
  const answer = (await response.json().catch(() => null)) as { code?: string; detail?: string } | null;
  if (response.ok) return answer;
  throw new WorkbenchError(codeOf(answer?.code), answer?.detail ?? `${url} answered with ${response.status}.`);
}

const codeOf = (code: string | null | undefined): ErrorCode =>
  code != null && Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "install-failed";
