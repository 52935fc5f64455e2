import { setTimeout as delay } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { AppStatus } from "../wire/apps/app-status.ts";
import { Job } from "../wire/apps/jobs.ts";
import { DaemonStatus } from "../wire/daemon-status.ts";
import { ERRORS, type ErrorCode, WorkbenchError } from "../wire/errors.ts";
import { parseOrThrow } from "../wire/validation/parse-or-throw.ts";

/** Time for a daemon to answer; a stop waits for the app and the robot's return. */
const ANSWER_MS = 60_000;
/** Milliseconds between two looks at a job, or at a robot that moves. */
const POLL_MS = 150;
/** Milliseconds that a robot needs at most to wake up. */
const WAKE_UP_MS = 30_000;

/** The daemon cannot be reached, or takes too long. */
class NoAnswer extends WorkbenchError {}

interface DaemonClientOptions {
  url: string;
  /** Access token; empty for a daemon that asks for none. */
  token: string;
  /** Milliseconds until an answer counts as missing. Default 60 s. */
  answerMs?: number;
  /** Cancels all requests. */
  signal?: AbortSignal;
}

/** An open stream of events. */
export interface EventStream {
  /** Settles when the stream has ended, for whatever reason. */
  ended: Promise<void>;
}

interface FollowJobOptions {
  /** Called with each state of the job; `logs` has the lines since the state before. */
  onJob?: (job: Job) => void;
  /** Milliseconds without an answer after which the job counts as lost: the daemon may be busy installing. Default 0. */
  lostMs?: number;
  /** Cancels the job. */
  signal?: AbortSignal;
}

/** Requests to a running daemon. Their signal cancels one request only. */
export class DaemonClient {
  readonly url: string;
  readonly #token: string;
  readonly #answerMs: number;
  readonly #signals: readonly AbortSignal[];

  constructor({ url, token, answerMs = ANSWER_MS, signal }: DaemonClientOptions) {
    this.url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#answerMs = answerMs;
    this.#signals = signal === undefined ? [] : [signal];
  }

  /**
   * The answer's JSON; null for an empty answer.
   * @throws NoAnswer; WorkbenchError with code and detail of a daemon that refuses; the reason of a signal
   */
  async request(method: "GET" | "POST", path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    const deadline = AbortSignal.timeout(this.#answerMs);
    const response = await this.#send(method, path, body, deadline, signal);
    const text = await response.text().catch((error) => this.#fail(error, deadline, signal));
    try {
      return text === "" ? null : JSON.parse(text);
    } catch {
      throw new WorkbenchError("daemon-unreachable", `${method} ${path} was not answered with JSON; ${IS_DAEMON}`);
    }
  }

  /**
   * Opens a stream of events and calls `onEvent` with each, until the stream ends or a signal aborts.
   * @throws as `request`
   */
  async openEvents(
    path: string,
    onEvent: (name: string, data: unknown) => void,
    signal?: AbortSignal,
  ): Promise<EventStream> {
    const late = new AbortController();
    // Not AbortSignal.timeout: the deadline is for the answer, not for the stream after it.
    const timer = setTimeout(() => late.abort(), this.#answerMs);
    const response = await this.#send("GET", path, undefined, late.signal, signal).finally(() => clearTimeout(timer));
    const parser = createParser({ onEvent: ({ event = "message", data }) => onEvent(event, JSON.parse(data)) });
    const decoder = new TextDecoder();
    const read = async () => {
      for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>)
        parser.feed(decoder.decode(bytes, { stream: true }));
    };
    const ended = read();
    ended.catch(() => {}); // whoever waits for it handles it
    return { ended };
  }

  async status(signal?: AbortSignal): Promise<DaemonStatus> {
    return parseOrThrow(DaemonStatus, await this.request("GET", "/api/daemon/status", undefined, signal), "status");
  }

  async currentApp(): Promise<AppStatus | null> {
    return parseOrThrow(AppStatus.nullable(), await this.request("GET", "/api/apps/current-app-status"), "app");
  }

  /** @param replace stop another app that runs; it is an error otherwise */
  async startApp(app: string, { replace = false } = {}): Promise<void> {
    await this.request("POST", `/api/apps/start-app/${encodeURIComponent(app)}${replace ? "?replace=true" : ""}`);
  }

  /** Wakes a robot up that is asleep, since no app can move it. Returns whether it was asleep. */
  async wakeUp(signal?: AbortSignal): Promise<boolean> {
    const { state, backend_status: robot } = await this.status(signal);
    if (state !== "running" || robot?.motor_control_mode !== "disabled") return false;
    await this.request("POST", "/api/move/play/wake_up", undefined, signal);
    const isMoving = async () =>
      ((await this.request("GET", "/api/move/running", undefined, signal)) as unknown[]).length > 0;
    const end = performance.now() + WAKE_UP_MS;
    while ((await isMoving()) && performance.now() < end) await delay(POLL_MS, undefined, signal && { signal });
    return true;
  }

  /**
   * Follows a job until it is done, failed or cancelled.
   * @param answer of the request that started it
   * @throws as `request`; the signal's reason
   */
  async followJob(answer: unknown, { onJob, lostMs = 0, signal }: FollowJobOptions = {}): Promise<Job> {
    const { job_id } = parseOrThrow(Job.pick({ job_id: true }), answer, "job");
    let lines = 0;
    let answeredAt = performance.now();
    for (; ; await delay(POLL_MS)) {
      if (signal?.aborted) {
        // Whatever the daemon says to that, the person has cancelled.
        await this.request("POST", `/api/apps/job-cancel/${job_id}`).catch(() => {});
        throw signal.reason;
      }
      const path = `/api/apps/job-status/${job_id}?after=${lines}`;
      const status = await this.request("GET", path, undefined, signal).catch((error) => {
        const mayAnswer = error instanceof NoAnswer && performance.now() - answeredAt < lostMs;
        if (signal?.aborted || mayAnswer) return null;
        throw error;
      });
      if (status === null) continue;
      answeredAt = performance.now();
      const job = parseOrThrow(Job, status, "job");
      lines = job.log_lines;
      onJob?.(job);
      if (["done", "failed", "cancelled"].includes(job.status)) return job;
    }
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    deadline: AbortSignal,
    cancel?: AbortSignal,
  ): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      signal: AbortSignal.any([...this.#signals, deadline, ...(cancel === undefined ? [] : [cancel])]),
      headers: {
        ...(this.#token === "" ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error) => this.#fail(error, deadline, cancel));
    if (response.ok) return response;
    const problem = (await response.json().catch(() => null)) as { code?: string; detail?: string } | null;
    throw new WorkbenchError(
      codeOf(problem?.code, "daemon-unreachable"),
      problem?.detail ?? `${method} ${path} was answered with ${response.status}; ${IS_DAEMON}`,
    );
  }

  #fail(error: unknown, deadline: AbortSignal, cancel?: AbortSignal): never {
    for (const signal of this.#signals) signal.throwIfAborted();
    cancel?.throwIfAborted();
    const why = deadline.aborted ? `no answer within ${this.#answerMs / 1000} s` : reasonOf(error);
    const next = deadline.aborted ? "try again" : "start one with robot-daemon --sim, or name another with --url";
    const message = `The robot-daemon at ${this.url} does not answer (${why}): ${next}.`;
    throw new NoAnswer("daemon-unreachable", message, { cause: error });
  }
}

const IS_DAEMON = "is it a robot-daemon?";

/** A code that a daemon names, or another one where this program does not know it. */
export const codeOf = (code: string | null | undefined, unknown: ErrorCode): ErrorCode =>
  code != null && Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : unknown;

const reasonOf = (error: unknown): string => {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
};
