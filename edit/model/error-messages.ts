import { boundedResponse } from "../../common/bounded-response.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type SettingNames, TERMINAL_SETTINGS } from "./setting-names.ts";

/** Longer error texts, in characters, are cut: some servers answer with a page. */
const MAX_LENGTH = 500;
/** Bytes of the status of a daemon. */
const MAX_STATUS_BYTES = 100_000;

/** The error message of an answer: `{"error": {"message"}}`, `{"error": text}`, `message`, `detail`, or the whole text. */
export function errorMessageOf(body: string): string {
  try {
    return (errorMessageIn(JSON.parse(body)) ?? body).slice(0, MAX_LENGTH);
  } catch {
    return body.trim().slice(0, MAX_LENGTH) || "an empty answer";
  }
}

/** The message of an error object, also one inside a good answer or a stream; undefined for any other value. */
export function errorMessageIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { error, message, detail, object } = value as Record<string, unknown>;
  if (typeof error === "string") return error;
  if (error !== undefined && error !== null) return errorMessageIn(error) ?? JSON.stringify(error);
  if (typeof message === "string" && (object === "error" || object === undefined)) return message;
  return typeof detail === "string" ? detail : undefined;
}

/** Whether an error is that a server or a model gave no usable answer. */
export const isModelFailure = (error: unknown): error is WorkbenchError =>
  error instanceof WorkbenchError && error.code === "model-failed";

/** Whether an error message says that prompt and answer exceed the model's context. */
export function isContextOverflow(message: string): boolean {
  return /context[ _](?:length|size|window)|maximum (?:model length|context)/i.test(message);
}

/** Whether the answer to a request is one of the robot daemon: its status, or that it asks for its token. */
export function isDaemonAnswer(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { robot_name, code } = body as { robot_name?: unknown; code?: unknown };
  return robot_name !== undefined || code === "token-required";
}

/** The error for an address where the robot daemon answers instead of a model server; undefined for any other server. */
export async function daemonError(
  { serverUrl, settings = TERMINAL_SETTINGS }: { serverUrl: string; settings?: SettingNames },
  signal: AbortSignal,
): Promise<WorkbenchError | undefined> {
  try {
    const answer = boundedResponse(await fetch(new URL("/api/daemon/status", serverUrl), { signal }), MAX_STATUS_BYTES);
    if (!isDaemonAnswer(await answer.json())) return undefined;
  } catch {
    return undefined;
  }
  return new WorkbenchError(
    "model-unreachable",
    `${serverUrl} is the robot daemon, not a model server: both use port 8000 by default. Start the model ` +
      `server on another port, for example 8001, and name http://127.0.0.1:8001 with ${settings.server}.`,
  );
}
