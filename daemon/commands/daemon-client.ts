import { readFile } from "node:fs/promises";
import { ERRORS, type ErrorCode, WorkbenchError } from "../../robot/wire/errors.ts";
import { tokenFile } from "../network/access-token.ts";

/** Time for a daemon to answer; a stop waits for the app and the robot's return. */
const ANSWER_MS = 60_000;

/** The daemon cannot be reached, or takes too long. */
export class NoAnswer extends WorkbenchError {}

interface DaemonClientOptions {
  /** Of the daemon, without a slash at the end. */
  url: string;
  /** Access token; empty for a daemon that asks for none. */
  token: string;
  /** Milliseconds until an answer counts as missing. Default 60 s. */
  answerMs?: number;
  signal?: AbortSignal;
}

/** The token of the daemon that uses a data folder; empty when it has none. */
export const tokenIn = async (dataDir: string): Promise<string> =>
  (await readFile(tokenFile(dataDir), "utf8").catch(() => "")).trim();

/** Requests to a running daemon. */
export class DaemonClient {
  readonly #options: DaemonClientOptions;

  constructor(options: DaemonClientOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  /**
   * The answer's JSON.
   * @throws NoAnswer; WorkbenchError with code and detail of a daemon that refuses; the signal's reason
   */
  async ask(method: "GET" | "POST", path: string, body?: unknown): Promise<unknown> {
    const response = await this.open(method, path, body, AbortSignal.timeout(this.#options.answerMs ?? ANSWER_MS));
    return response.json().catch(() => null);
  }

  /**
   * A successful response, of which only the head has arrived.
   * @param deadline for the whole response; none unless given
   * @throws as `ask`
   */
  async open(method: "GET" | "POST", path: string, body?: unknown, deadline?: AbortSignal): Promise<Response> {
    const { url, token, signal } = this.#options;
    const signals = [signal, deadline].filter((each) => each !== undefined);
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.any(signals),
      headers: {
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error) => {
      signal?.throwIfAborted();
      throw new NoAnswer("daemon-unreachable", `The robot-daemon at ${url} does not answer; try again.`, {
        cause: error,
      });
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => null)) as { code?: string; detail?: string } | null;
    throw new WorkbenchError(
      codeOf(problem?.code, "daemon-unreachable"),
      problem?.detail ?? `${url}${path} answered with ${response.status}; is it a robot-daemon?`,
    );
  }
}

/** A code that a daemon names, or another one where this program does not know it. */
export const codeOf = (code: string | null | undefined, unknown: ErrorCode): ErrorCode =>
  code != null && Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : unknown;
