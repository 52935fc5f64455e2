import type { ErrorCode, Problem } from "../../robot/wire/errors.ts";

/** Milliseconds; longer than stopping an app with its grace period and the return to the default pose. */
const DEADLINE = 30_000;

/** A request that the daemon refused, in its own words, or that never reached it. */
export class RequestError extends Error {
  /** `unreachable` when there was no answer at all. */
  readonly code: ErrorCode | "unreachable";
  constructor(code: ErrorCode | "unreachable", detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "RequestError";
    this.code = code;
  }
}

/** The daemon's REST interface. Every method rejects with a RequestError. */
export interface Client {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  delete<T>(path: string): Promise<T>;
}

export function createClient(fetch: typeof globalThis.fetch): Client {
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(path, {
      method,
      headers,
      signal: AbortSignal.timeout(DEADLINE),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(throwUnreachable);
    if (!response.ok) throw await errorOf(response);
    return (await response.json().catch(throwUnreachable)) as T;
  };
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    delete: (path) => send("DELETE", path),
  };
}

function throwUnreachable(cause: unknown): never {
  const isTimeout = cause instanceof DOMException && cause.name === "TimeoutError";
  const message = isTimeout
    ? `The daemon did not answer within ${DEADLINE / 1000} s. Is its machine overloaded?`
    : "The daemon does not answer. Is robot-daemon still running?";
  throw new RequestError("unreachable", message, { cause });
}

async function errorOf(response: Response): Promise<RequestError> {
  const problem: Partial<Problem> = await response.json().catch(() => ({}));
  return new RequestError(
    problem.code ?? "internal",
    problem.detail ?? `The daemon answered ${response.status} ${response.statusText}.`,
  );
}
