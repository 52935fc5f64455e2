import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { daemonAt, readFailure } from "./failures.ts";

/** How to reach a model's server. */
export interface ServerOptions {
  /** Address without the path `/v1`, for example `http://127.0.0.1:8001`. */
  serverUrl: string;
  /** Sent as a bearer token; never part of any message. */
  token?: string;
  /** The whole exchange may take this long. Default 120 s. */
  timeoutMs?: number;
  /** Further tries after 429 and 503. Default 3. */
  retries?: number;
  /** Waits between tries. Default: really. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const TIMEOUT_MS = 120_000;

const BUSY = new Set([429, 503]);
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;

/** The address of a path below a server's URL. */
export function addressOf(serverUrl: string, path: string): string {
  return serverUrl.replace(/\/+$/, "").replace(/\/v1$/, "") + path;
}

/**
 * Sends a JSON request and returns the answer once its status is good, trying again while the server is busy.
 * @throws WorkbenchError `model-unreachable`, `model-failed`, `deadline-passed`; the caller's own abort as it is
 */
export async function send(server: ServerOptions, path: string, body: unknown, signal: AbortSignal): Promise<Response> {
  const { retries = 3, sleep = realSleep, token } = server;
  const url = addressOf(server.serverUrl, path);
  const headers = {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const init: RequestInit =
    body === undefined ? { headers, signal } : { method: "POST", headers, body: JSON.stringify(body), signal };
  for (let attempt = 0; ; attempt += 1) {
    const response = await reach(url, init, server);
    if (response.ok) return response;
    if (!BUSY.has(response.status) || attempt >= retries) throw await failureOf(response, url, server, signal);
    await response.body?.cancel();
    await sleep(waitBefore(attempt, response.headers.get("retry-after")), signal);
  }
}

async function reach(url: string, init: RequestInit, server: ServerOptions): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw asDeadline(cause, server) ?? unreachable(url, cause);
  }
}

function unreachable(url: string, cause: unknown): unknown {
  if (!(cause instanceof TypeError)) return cause;
  const reason =
    cause.cause instanceof Error ? ((cause.cause as NodeJS.ErrnoException).code ?? cause.cause.message) : cause.message;
  return new WorkbenchError(
    "model-unreachable",
    `No model server answers at ${url} (${reason}). Start one (docs/serving.md has the command lines) or name it ` +
      "with --server-url or ROBOT_MODEL_URL.",
    { cause },
  );
}

/** A time-out of `AbortSignal.timeout` as the error to show; undefined for anything else. */
export function asDeadline(
  cause: unknown,
  { serverUrl, timeoutMs = TIMEOUT_MS }: ServerOptions,
): WorkbenchError | undefined {
  if (!(cause instanceof DOMException) || cause.name !== "TimeoutError") return undefined;
  const detail = `${serverUrl} did not finish its answer within ${timeoutMs / 1000} s. Give it longer with --timeout.`;
  return new WorkbenchError("deadline-passed", detail, { cause });
}

async function failureOf(
  response: Response,
  url: string,
  server: ServerOptions,
  signal: AbortSignal,
): Promise<WorkbenchError> {
  const said = readFailure(await response.text());
  const daemon = response.status < 500 ? await daemonAt(server.serverUrl, signal) : undefined;
  if (daemon) return daemon;
  const { status } = response;
  const advice = status === 401 || status === 403 ? " The token comes from ROBOT_MODEL_TOKEN." : "";
  return new WorkbenchError("model-failed", `${url} answered ${status}: ${said}${advice}`);
}

/** Doubles from half a second, or as long as the server asks for, within 20 s. */
function waitBefore(attempt: number, retryAfter: string | null): number {
  const asked = retryAfter === null ? Number.NaN : Number(retryAfter) * 1000;
  return Math.min(LONGEST_WAIT_MS, Number.isFinite(asked) ? asked : FIRST_WAIT_MS * 2 ** attempt);
}

async function realSleep(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: wait } = await import("node:timers/promises");
  await wait(ms, undefined, { signal });
}
