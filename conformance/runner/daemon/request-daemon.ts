import { HarnessError } from "../host.ts";
import { authorization, type DaemonHandle } from "./daemon-handle.ts";

interface DaemonRequest {
  method: string;
  path: string;
  /** Sent as JSON; a text as it is. */
  body?: unknown;
  /** Seconds until it is cancelled; default 10. */
  seconds?: number | undefined;
  signal?: AbortSignal;
}

/** Sends a request to a daemon, past the tap. @throws Error when it is late or cancelled, or the daemon is gone */
export function requestDaemon(
  { url, token }: Pick<DaemonHandle, "url" | "token">,
  { method, path, body, seconds = 10, signal }: DaemonRequest,
): Promise<Response> {
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  return fetch(`${url}${path}`, {
    method,
    headers: { ...authorization(token), ...type },
    signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(1000 * seconds)]),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** Throws for an answer other than success. @throws HarnessError with the path, the status and the text */
export async function requireSuccess(path: string, response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new HarnessError(`the daemon answered ${path} with ${response.status}: ${text}`);
}
