import { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { sleep } from "../../../common/time/clock.ts";
import { isAddress } from "../../../daemon/apps/hub/space-address.ts";
import { digestOf } from "../../../daemon/apps/install/fetch/digest.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import type { Failure } from "../catalogue-verdict.ts";
import type { AppResult } from "../run/certify-app.ts";
import type { RunAppsOptions } from "../run/run-apps.ts";
import {
  type CertifyJob,
  JOB_ATTEMPTS,
  JOB_BACKOFF_MS,
  jobId,
  KEEP_FAILED_S,
  LOWEST_PRIORITY,
  queueName,
} from "./jobs.ts";

/** Milliseconds between two looks at all apps that are left, for events that were lost with a connection. */
const SWEEP_MS = 5000;
/** Jobs that are added in one command. */
const BATCH = 500;

/** An app whose job has not ended. */
interface Waiting {
  app: CatalogueApp;
  /** Of a folder's files; null for a space. */
  digest: string | null;
  id: string;
  priority: number;
}

/**
 * Has workers give every app its verdict, the first apps first. What has a verdict gets no job. May be killed and called
 * again: an app has one job, however often it is added.
 * @returns the results, in the order of the apps
 * @throws the signal's reason; errors of the store and of Redis. The jobs stay in the queue
 */
export async function runQueued(
  apps: readonly CatalogueApp[],
  redis: Redis,
  options: Omit<RunAppsOptions, "concurrency">,
): Promise<AppResult[]> {
  const { version, tier, jobs, signal, clock } = options;
  const queue = new Queue<CertifyJob>(queueName(version), { connection: redis });
  const blocking = redis.duplicate();
  const events = new QueueEvents(queueName(version), { connection: blocking });
  blocking.on("error", () => {});
  // An error is followed by another attempt to connect; without a listener it would end the process.
  queue.on("error", () => {});
  events.on("error", () => {});
  const run = new QueuedRun(queue, options);
  let wake = new AbortController();
  const broken = new AbortController();
  const ended = AbortSignal.any([signal, broken.signal]);
  const onEnd = (id: string, failed: boolean) =>
    run.look([id], { failed }).then(
      () => run.left.length === 0 && wake.abort(),
      (error) => broken.abort(error),
    );
  events.on("completed", ({ jobId: id }) => void onEnd(id, false));
  events.on("failed", ({ jobId: id }) => void onEnd(id, true));
  ended.addEventListener("abort", () => wake.abort(), { once: true });
  try {
    for (const [index, app] of apps.entries()) {
      const digest = isAddress(app.source) ? null : await digestOf(app.source).catch(() => null);
      // Without either, nobody knows whether it is the same: it gets a job of its own.
      const revision = app.revision ?? digest ?? `unknown at ${clock.unixTime()}`;
      const priority = Math.min(index + 1, LOWEST_PRIORITY);
      run.add({ app, digest, id: jobId(app, revision, tier, version), priority });
    }
    await run.look(
      run.left.map(({ id }) => id),
      { failed: false, known: true },
    );
    await run.forgetFailures();
    while (run.left.length > 0) {
      ended.throwIfAborted();
      // Adding a job that is there changes nothing; one that was lost with Redis is added again.
      await run.enqueue(jobs);
      await sleep(clock, SWEEP_MS, wake.signal);
      ended.throwIfAborted();
      if (wake.signal.aborted) wake = new AbortController();
      await run.look(
        run.left.map(({ id }) => id),
        { failed: true },
      );
    }
    return apps.map((app) => run.results.get(app) as AppResult);
  } finally {
    await Promise.all([queue.close(), events.close()]);
    blocking.disconnect();
  }
}

class QueuedRun {
  readonly results = new Map<CatalogueApp, AppResult>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #queue: Queue<CertifyJob>;
  readonly #options: Omit<RunAppsOptions, "concurrency">;

  constructor(queue: Queue<CertifyJob>, options: Omit<RunAppsOptions, "concurrency">) {
    this.#queue = queue;
    this.#options = options;
  }

  get left(): Waiting[] {
    return [...this.#waiting.values()].flatMap(([first]) => first ?? []);
  }

  add(waiting: Waiting): void {
    this.#waiting.set(waiting.id, [...(this.#waiting.get(waiting.id) ?? []), waiting]);
  }

  /**
   * Looks which of some jobs have ended.
   * @param failed also those that failed
   * @param known whether their verdicts were there before
   */
  async look(ids: readonly string[], { failed, known = false }: { failed: boolean; known?: boolean }): Promise<void> {
    const failures = new Map((failed ? await this.#queue.getFailed(0, -1) : []).map((job) => [job.id, job]));
    for (const id of ids) {
      if (!this.#waiting.has(id)) continue;
      const verdict = await this.#options.store.linked(id);
      const job = failures.get(id);
      if (verdict !== null) this.#finish(id, { kind: "verdict", verdict, known });
      else if (job !== undefined) this.#finish(id, failureFrom(job.failedReason));
    }
  }

  /** Jobs that failed in an earlier run are tried again. */
  async forgetFailures(): Promise<void> {
    for (const job of await this.#queue.getFailed(0, -1)) if (this.#waiting.has(job.id ?? "")) await job.remove();
  }

  async enqueue(jobs: number): Promise<void> {
    const { tier } = this.#options;
    const left = this.left;
    for (let start = 0; start < left.length; start += BATCH)
      await this.#queue.addBulk(
        left.slice(start, start + BATCH).map(({ app, digest, id, priority }) => ({
          name: app.name,
          data: { app, digest, tier, jobs },
          opts: {
            jobId: id,
            priority,
            attempts: JOB_ATTEMPTS,
            backoff: { type: "exponential", delay: JOB_BACKOFF_MS },
            removeOnComplete: true,
            removeOnFail: { age: KEEP_FAILED_S },
            stackTraceLimit: 0,
          },
        })),
      );
  }

  #finish(id: string, result: AppResult): void {
    const waiting = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const { app } of waiting) {
      this.results.set(app, result);
      this.#options.onResult(app, result);
    }
  }
}

/** Why a job failed: what its worker threw, or what BullMQ says. */
function failureFrom(reason: string): AppResult {
  try {
    const { digest, failure } = JSON.parse(reason) as { digest: string | null; failure: Failure };
    return { kind: "failed", digest, failure };
  } catch {
    return { kind: "failed", digest: null, failure: { kind: "crash", message: reason, output: "" } };
  }
}
