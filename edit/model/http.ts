import { setTimeout } from "node:timers/promises";
import { BodyTooLargeError, boundedResponse } from "../../common/bounded-response.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { complaintOf } from "./complaint.ts";
import { daemonError } from "./daemon-answer.ts";
import { type ServerAddress, serverAddress, withoutSecrets } from "./server-address.ts";
import { ServerError } from "./server-error.ts";
import { type SettingNames, TERMINAL_SETTINGS } from "./setting-names.ts";

/** The address of a model server and the limits of a request. */
export interface ModelServerOptions {
  /** Address with or without `/v1`, a path and a query, for example `http://127.0.0.1:8001`. No message shows its credentials. */
  serverUrl: string;
  /** Sent as a bearer token; no message contains it. */
  token?: string;
  /** Time for a request and its whole answer, in milliseconds. Default 120 000. */
  timeoutMs?: number;
  /** How often a request is repeated after 429 and 503. Default 3. */
  retries?: number;
  /** Waits between attempts. Default: a timer. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Asks a person whether to wait as long as the server asks, for example `1 hour`. Default: never longer than 20 s. */
  confirmWait?: (duration: string) => Promise<boolean>;
  /** How messages name the settings. Default: those of the terminal. */
  settings?: SettingNames;
}

const TIMEOUT_MS = 120_000;
/** Bytes of an answer, decompressed: a stream has up to a kilobyte for each of some ten thousand tokens. */
const MAX_ANSWER_BYTES = 32_000_000;

const pause = (ms: number, signal?: AbortSignal): Promise<void> => setTimeout(ms, undefined, signal ? { signal } : {});
const BUSY = new Set([429, 503]);
const FIRST_DELAY_MS = 500;
/** A longer wait is asked for, up to the longest that a timer has. */
const [MAX_DELAY_MS, MAX_TIMER_MS] = [20_000, 2 ** 31 - 1];
/** What a server answers that has nothing at an address. */
const NOT_HERE = new Set([404, 405, 501]);

/**
 * Sends a JSON request and returns the answer once its status is good.
 * @param path an endpoint of the interface, such as `models`, or a path beside it, such as `/tokenize`
 * @param signal has a deadline, see `withDeadline`
 * @throws WorkbenchError `model-unreachable`, a `ServerError`; the signal's reason when aborted
 */
export async function send(
  server: ModelServerOptions,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Response> {
  const address = serverAddress(server.serverUrl);
  const authorization = server.token === undefined ? address.authorization : `Bearer ${server.token}`;
  const headers = {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
  const init: RequestInit =
    body === undefined ? { headers, signal } : { method: "POST", headers, body: JSON.stringify(body), signal };
  let refused: ServerError | undefined;
  for (const url of path.startsWith("/") ? [address.beside(path)] : address.endpoints(path)) {
    const response = await fetchOrThrow(url, init, server, address);
    if (response.ok) return response;
    const error = await errorOf(response, path, address.shown);
    refused = refused === undefined || !NOT_HERE.has(response.status) ? error : refused;
    if (!NOT_HERE.has(response.status)) break;
  }
  const mayBeDaemon = [401, ...NOT_HERE].includes(refused?.status ?? 0);
  throw (mayBeDaemon ? await daemonError(server, address, signal) : undefined) ?? refused;
}

/** Three lines to paste, for a machine without a graphics processor; docs/serving.md has more models and servers. */
const HOW_TO_GET_A_SERVER = [
  "  brew install llama.cpp        # or a build from https://github.com/ggml-org/llama.cpp/releases",
  "  llama-server -hf RichardErkhov/TechxGenus_-_CursorCore-QW2.5-1.5B-SR-gguf:Q4_K_M --special --port 8001",
  '  robot-app-assistant edit APP -i "..." --format sr    # downloads 1 GB; docs/serving.md has other models and servers',
].join("\n");

async function fetchOrThrow(
  url: string,
  init: RequestInit,
  server: ModelServerOptions,
  { shown }: ServerAddress,
): Promise<Response> {
  try {
    return boundedResponse(await fetch(url, init), MAX_ANSWER_BYTES);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { settings = TERMINAL_SETTINGS } = server;
    const { cause } = error;
    const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message;
    const advice = `Name one with ${settings.server}, or start one:\n${HOW_TO_GET_A_SERVER}`;
    const detail = `No model server answers at ${shown} (${reason}). ${advice}`;
    throw new WorkbenchError("model-unreachable", detail);
  }
}

/**
 * Runs requests to a server and the reading of their answers within its time limit, again while the server is busy.
 * @throws WorkbenchError `deadline-passed` when the time is over, `model-failed` when an answer is too large
 */
export async function withDeadline<T>(
  server: ModelServerOptions,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { retries = 3, sleep = pause } = server;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withinTime(server, signal, work);
    } catch (error) {
      if (!(error instanceof ServerError && BUSY.has(error.status ?? 0)) || attempt >= retries) throw error;
      await sleep(await agreedDelayMs(error, attempt, server), signal);
    }
  }
}

/** How long to wait before the next attempt. @throws ServerError when the server asks for longer than anybody agrees to */
async function agreedDelayMs(
  error: ServerError,
  attempt: number,
  { confirmWait }: ModelServerOptions,
): Promise<number> {
  const asked = error.retryAfterMs;
  if (asked === undefined) return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  if (asked <= MAX_DELAY_MS) return asked;
  const duration = durationInWords(asked);
  if (asked <= MAX_TIMER_MS && (await confirmWait?.(duration))) return asked;
  const { complaint, status, retryAfterMs } = error;
  throw new ServerError(`${error.message} It asks to wait ${duration}: ask again then.`, complaint, {
    ...(status === undefined ? {} : { status }),
    retryAfterMs,
  });
}

async function withinTime<T>(
  server: ModelServerOptions,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs = TIMEOUT_MS, settings = TERMINAL_SETTINGS } = server;
  const { shown, secrets } = serverAddress(server.serverUrl);
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal === undefined ? deadline : AbortSignal.any([signal, deadline]));
  } catch (cause) {
    if (cause instanceof BodyTooLargeError)
      throw new WorkbenchError("model-failed", `The answer of ${shown} has ${cause.message}.`, { cause });
    if (cause instanceof WorkbenchError) hideSecrets(cause, [...secrets, ...(server.token ? [server.token] : [])]);
    if (!(cause instanceof DOMException && cause.name === "TimeoutError")) throw cause;
    const detail = `${shown} did not finish its answer within ${timeoutMs / 1000} s. ${settings.moreTime}`;
    throw new WorkbenchError("deadline-passed", detail, { cause });
  }
}

/** A server may repeat what it was sent. */
function hideSecrets(error: WorkbenchError, secrets: readonly string[]): void {
  error.message = withoutSecrets(error.message, secrets);
  error.stack = withoutSecrets(error.stack ?? "", secrets);
  if (!(error instanceof ServerError)) return;
  const { complaint } = error;
  for (const part of ["message", "words"] as const) complaint[part] = withoutSecrets(complaint[part], secrets);
}

async function errorOf(response: Response, path: string, shown: string): Promise<ServerError> {
  const { status, headers } = response;
  const complaint = complaintOf(await response.text());
  const advice = status === 401 || status === 403 ? " The token comes from ROBOT_MODEL_TOKEN." : "";
  const detail = `${shown} answered ${status} for ${path}: ${complaint.message}${advice}`;
  return new ServerError(detail, complaint, { status, retryAfterMs: retryAfterMs(headers) });
}

/** The seconds of Retry-After, or the time until its date by the server's own clock. */
function retryAfterMs(headers: Headers): number | undefined {
  const asked = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
  const wait = Date.parse(asked) - Date.parse(headers.get("date") ?? "");
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** For example `90 seconds`, `1.5 hours`. */
function durationInWords(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ["second", 1000];
  const options = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat("en", options).format(ms / length);
}

/** The JSON of a text, or the text where it is none. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
