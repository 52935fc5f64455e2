import { setTimeout as delay } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { Job } from "../../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Time for a daemon to answer; a stop waits for the app and the robot's return. */
const ANSWER_MS = 30_000;
/** Time between two looks at a job. */
const JOB_POLL_MS = 150;
/** Time that a robot needs at most to wake up. */
const WAKE_UP_MS = 30_000;

/** The parts of a daemon's REST interface that `dev` and `doctor` use. */
export class DaemonClient {
  readonly url: string;
  readonly #token: string | undefined;
  readonly #signal: AbortSignal;

  /** @param token the daemon's access token, where it asks for one */
  constructor(url: string, token: string | undefined, signal: AbortSignal) {
    this.url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#signal = signal;
  }

  /**
   * @param signal cancels this request only
   * @throws WorkbenchError `daemon-unreachable`, or the code and detail that the daemon answers; the reason of either signal
   */
  async request(method: "GET" | "POST", path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    const response = await this.#fetch(method, path, body, AbortSignal.timeout(ANSWER_MS), signal);
    const text = await response.text();
    if (response.ok) return text === "" ? null : JSON.parse(text);
    throw problemIn(text, response.status, `${method} ${path}`);
  }

  async status(): Promise<DaemonStatus> {
    return (await this.request("GET", "/api/daemon/status")) as DaemonStatus;
  }

  /**
   * Installs the app of a folder so that it runs from there. Cancels the daemon's job when the signal aborts.
   * @throws WorkbenchError `install-failed` with the last lines; the signal's reason
   */
  async installEditable(folder: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Not cancelled by the signal: without the answer nobody knows which job to cancel.
    const { job_id } = (await this.request("POST", "/api/apps/install", { path: folder, editable: true })) as {
      job_id: string;
    };
    try {
      await this.#awaitJob(job_id, signal);
    } catch (error) {
      // The reason to end is the signal's, also when the daemon has gone meanwhile.
      if (signal.aborted) await this.request("POST", `/api/apps/job-cancel/${job_id}`).catch(() => undefined);
      throw error;
    }
  }

  async #awaitJob(id: string, signal: AbortSignal): Promise<void> {
    while (true) {
      const job = Job.parse(await this.request("GET", `/api/apps/job-status/${id}`, undefined, signal));
      if (job.status === "done") return;
      if (job.status === "failed" || job.status === "cancelled")
        throw new WorkbenchError("install-failed", [job.error ?? job.status, ...job.logs.slice(-5)].join("\n"));
      await delay(JOB_POLL_MS, undefined, { signal: AbortSignal.any([this.#signal, signal]) }).catch(() => undefined);
      this.#signal.throwIfAborted();
      signal.throwIfAborted();
    }
  }

  /** @param replace stop another app that runs; it is an error otherwise */
  async start(app: string, { replace = false } = {}): Promise<void> {
    await this.request("POST", `/api/apps/start-app/${app}${replace ? "?replace=true" : ""}`);
  }

  /** Wakes a robot up that is asleep, since no app can move it. @throws the signal's reason */
  async wakeUp(signal: AbortSignal): Promise<void> {
    const { state, backend_status: robot } = await this.status();
    if (state !== "running" || robot?.motor_control_mode !== "disabled") return;
    await this.request("POST", "/api/move/play/wake_up", undefined, signal);
    const isMoving = async () => ((await this.request("GET", "/api/move/running")) as unknown[]).length > 0;
    const end = performance.now() + WAKE_UP_MS;
    while ((await isMoving()) && performance.now() < end) await delay(JOB_POLL_MS, undefined, { signal });
  }

  /** Stops the app and starts it again while the robot stays where it is; starts it when it does not run. */
  async restart(app: string): Promise<void> {
    const current = await this.#currentApp();
    const isBusy = current !== null && current.state !== "done" && current.state !== "error";
    const isOwn = isBusy && current.info.name === app;
    if (isOwn && (await this.#restartInPlace())) return;
    await this.start(app, { replace: isOwn });
  }

  /** @returns false where the app is stopping, or has ended since its state was read */
  async #restartInPlace(): Promise<boolean> {
    try {
      await this.request("POST", "/api/apps/restart-current-app?in_place=true");
      return true;
    } catch (error) {
      if (error instanceof WorkbenchError && error.code === "no-app-running") return false;
      throw error;
    }
  }

  /** Stops the app; nothing when none runs. */
  async stop(): Promise<void> {
    await this.request("POST", "/api/apps/stop-current-app").catch((error) => {
      if (!(error instanceof WorkbenchError && error.code === "no-app-running")) throw error;
    });
  }

  /** Stops the app of this name; nothing when another one or none runs. */
  async stopApp(app: string): Promise<void> {
    const current = await this.#currentApp();
    if (current?.info.name === app) await this.stop();
  }

  async #currentApp(): Promise<AppStatus | null> {
    return AppStatus.nullable().parse(await this.request("GET", "/api/apps/current-app-status"));
  }

  /**
   * Opens the stream of events and calls `onEvent` with each, until the stream ends or the signal aborts.
   * @throws WorkbenchError `daemon-unreachable`, or the code that the daemon answers; the signal's reason
   */
  async openEvents(onEvent: (name: string, data: unknown) => void, signal: AbortSignal): Promise<EventStream> {
    const late = new AbortController();
    // Not AbortSignal.timeout: the deadline is for the answer, not for the stream after it.
    const timer = setTimeout(() => late.abort(), ANSWER_MS);
    const response = await this.#fetch("GET", "/api/events", undefined, late.signal, signal).finally(() =>
      clearTimeout(timer),
    );
    if (!response.ok || response.body === null)
      throw problemIn(await response.text(), response.status, "GET /api/events");
    const parser = createParser({ onEvent: ({ event = "message", data }) => onEvent(event, JSON.parse(data)) });
    const decoder = new TextDecoder();
    const read = async () => {
      for await (const bytes of response.body as AsyncIterable<Uint8Array>)
        parser.feed(decoder.decode(bytes, { stream: true }));
    };
    return { ended: read().catch(() => undefined) };
  }

  async #fetch(
    method: string,
    path: string,
    body: unknown,
    deadline: AbortSignal,
    cancel?: AbortSignal,
  ): Promise<Response> {
    const headers = {
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const signal = AbortSignal.any([this.#signal, deadline, ...(cancel === undefined ? [] : [cancel])]);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(this.url + path, { method, headers, signal, ...sent }).catch((error: unknown) => {
      this.#signal.throwIfAborted();
      cancel?.throwIfAborted();
      const why = deadline.aborted ? `no answer within ${ANSWER_MS / 1000} s` : reasonOf(error);
      throw new WorkbenchError(
        "daemon-unreachable",
        `There is no robot-daemon at ${this.url} (${why}): start one with robot-daemon --sim, or name another with --url.`,
        { cause: error },
      );
    });
  }
}

/** An open stream of events. */
export interface EventStream {
  /** Resolves when the stream has ended, for whatever reason. */
  ended: Promise<void>;
}

/** What `dev` and `doctor` use of a daemon's status. */
export interface DaemonStatus {
  state: string;
  version: string;
  error: string | null;
  simulation_enabled?: boolean;
  backend_status?: { motor_control_mode: string } | null;
}

function problemIn(text: string, status: number, what: string): WorkbenchError {
  let problem: { code?: unknown; detail?: unknown } = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // Another server answers.
  }
  const code = typeof problem.code === "string" ? (problem.code as WorkbenchError["code"]) : "daemon-unreachable";
  return new WorkbenchError(
    code,
    String(problem.detail ?? `${what} was answered with ${status}; is it a robot-daemon?`),
  );
}

const reasonOf = (error: unknown): string => {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
};
