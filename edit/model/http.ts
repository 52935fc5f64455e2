import { setTimeout } from "node:timers/promises";
import { BodyTooLargeError, boundedResponse } from "../../common/bounded-response.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { daemonError, errorMessageOf } from "./error-messages.ts";
import { type SettingNames, TERMINAL_SETTINGS } from "./setting-names.ts";

/** The address of a model server and the limits of a request. */
export interface ModelServerOptions {
  /** Address without the path `/v1`, for example `http://127.0.0.1:8001`. */
  serverUrl: string;
  /** Sent as a bearer token; no message contains it. */
  token?: string;
  /** Time for a request and its whole answer, in milliseconds. Default 120 000. */
  timeoutMs?: number;
  /** How often a request is repeated after 429 and 503. Default 3. */
  retries?: number;
  /** Waits between attempts. Default: a timer. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How messages name the settings. Default: those of the terminal. */
  settings?: SettingNames;
}

const TIMEOUT_MS = 120_000;
/** Bytes of an answer, decompressed: a stream has up to a kilobyte for each of some ten thousand tokens. */
const MAX_ANSWER_BYTES = 32_000_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal });
const BUSY = new Set([429, 503]);
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 20_000;

export function addressOf(serverUrl: string, path: string): string {
  return serverUrl.replace(/\/+$/, "").replace(/\/v1$/, "") + path;
}

/**
 * Sends a JSON request and returns the answer once its status is good. Repeats the request while the server is busy.
 * @param signal has a deadline, see `withDeadline`
 * @throws WorkbenchError `model-unreachable`, `model-failed`; the signal's reason when aborted
 */
export async function send(
  server: ModelServerOptions,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Response> {
  const { retries = 3, sleep = pause, token } = server;
  const url = addressOf(server.serverUrl, path);
  const headers = {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const init: RequestInit =
    body === undefined ? { headers, signal } : { method: "POST", headers, body: JSON.stringify(body), signal };
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetchOrThrow(url, init, server);
    if (response.ok) return response;
    if (!BUSY.has(response.status) || attempt >= retries) throw await toModelError(response, url, server, signal);
    await response.body?.cancel();
    await sleep(retryDelayMs(attempt, response.headers.get("retry-after")), signal);
  }
}

/** Three lines to paste, for a machine without a graphics processor; docs/serving.md has more models and servers. */
const HOW_TO_GET_A_SERVER = [
  "  brew install llama.cpp        # or a build from https://github.com/ggml-org/llama.cpp/releases",
  "  llama-server -hf RichardErkhov/TechxGenus_-_CursorCore-QW2.5-1.5B-SR-gguf:Q4_K_M --special --port 8001",
  '  robot-app-assistant edit APP -i "..." --format sr    # downloads 1 GB; docs/serving.md has other models and servers',
].join("\n");

async function fetchOrThrow(url: string, init: RequestInit, server: ModelServerOptions): Promise<Response> {
  try {
    return boundedResponse(await fetch(url, init), MAX_ANSWER_BYTES);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { settings = TERMINAL_SETTINGS } = server;
    const { cause } = error;
    const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message;
    const advice = `Name one with ${settings.server}, or start one:\n${HOW_TO_GET_A_SERVER}`;
    const detail = `No model server answers at ${url} (${reason}). ${advice}`;
    throw new WorkbenchError("model-unreachable", detail, { cause: error });
  }
}

/**
 * Runs requests to a server and the reading of their answers within its time limit.
 * @throws WorkbenchError `deadline-passed` when the time is over, `model-failed` when an answer is too large
 */
export async function withDeadline<T>(
  server: ModelServerOptions,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { serverUrl, timeoutMs = TIMEOUT_MS, settings = TERMINAL_SETTINGS } = server;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal === undefined ? deadline : AbortSignal.any([signal, deadline]));
  } catch (cause) {
    if (cause instanceof BodyTooLargeError)
      throw new WorkbenchError("model-failed", `The answer of ${serverUrl} has ${cause.message}.`, { cause });
    if (!(cause instanceof DOMException && cause.name === "TimeoutError")) throw cause;
    const detail = `${serverUrl} did not finish its answer within ${timeoutMs / 1000} s. ${settings.moreTime}`;
    throw new WorkbenchError("deadline-passed", detail, { cause });
  }
}

async function toModelError(
  response: Response,
  url: string,
  server: ModelServerOptions,
  signal: AbortSignal,
): Promise<WorkbenchError> {
  const message = errorMessageOf(await response.text());
  const daemon = response.status < 500 ? await daemonError(server, signal) : undefined;
  if (daemon) return daemon;
  const { status } = response;
  const advice = status === 401 || status === 403 ? " The token comes from ROBOT_MODEL_TOKEN." : "";
  return new WorkbenchError("model-failed", `${url} answered ${status}: ${message}${advice}`);
}

/** The delay before the next attempt: Retry-After, else doubling from half a second; at most 20 s. */
function retryDelayMs(attempt: number, retryAfter: string | null): number {
  const asked = retryAfter === null ? Number.NaN : Number(retryAfter) * 1000;
  return Math.min(MAX_DELAY_MS, Number.isFinite(asked) ? asked : FIRST_DELAY_MS * 2 ** attempt);
}

/** The JSON of a text, or the text where it is none. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
