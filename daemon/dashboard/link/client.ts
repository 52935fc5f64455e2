import type { ErrorCode, Problem } from "../../../robot/wire/errors.ts";

/** Milliseconds; stopping an app with its grace period and the way back to default fits in. */
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

/** The daemon's REST interface. Rejects with a RequestError. */
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
    }).catch(unreachable);
    if (!response.ok) throw await refusal(response);
    return (await response.json().catch(unreachable)) as T;
  };
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    delete: (path) => send("DELETE", path),
  };
}

function unreachable(cause: unknown): never {
  const late = cause instanceof DOMException && cause.name === "TimeoutError";
  const why = late
    ? `The daemon did not answer within ${DEADLINE / 1000} s. Is its machine overloaded?`
    : "The daemon does not answer. Is robot-daemon still running?";
  throw new RequestError("unreachable", why, { cause });
}

async function refusal(response: Response): Promise<RequestError> {
  const problem: Partial<Problem> = await response.json().catch(() => ({}));
  return new RequestError(
    problem.code ?? "internal",
    problem.detail ?? `The daemon answered ${response.status} ${response.statusText}.`,
  );
}
