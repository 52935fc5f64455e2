import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { sleep } from "../../../common/time/clock.ts";
import { rejectOnAbort } from "../../../common/time/reject-on-abort.ts";
import { isAddress } from "../../../daemon/apps/hub/space-address.ts";
import { digestOf } from "../../../daemon/apps/install/fetch/digest.ts";
import type { Failure } from "../../child-process/failure.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import type { AppResult } from "../run/certify-app.ts";
import type { RunAppsOptions } from "../run/run-apps.ts";
import { type CertifyJob, JOB_OPTIONS, jobId, LOWEST_PRIORITY, queueName } from "./jobs.ts";

/**
 * The least milliseconds between two sweeps, which look at all jobs that are left. BullMQ's events would come earlier, but not
 * all of them: a lost connection drops some, and a Redis that was killed forgets jobs.
 */
const SWEEP_MS = 1000;
/**
 * The pause after a sweep, as a multiple of its duration: sweeps over many apps take at most five percent of the time. The shorter of
 * the last two counts, since one during which Redis was away lasts as long as that.
 */
const SWEEP_PAUSE = 19;
/** Milliseconds that Redis has at the end of a run. */
const CLOSE_MS = 2000;
/** Jobs that are added in one command. */
const ADDED_AT_ONCE = 500;
/** Failed jobs that are read in one command. */
const FAILED_AT_ONCE = 200;
/** Verdicts that are read at the same time. */
const READ_AT_ONCE = 50;

/** An app whose job has not ended. */
interface PendingApp {
  app: CatalogueApp;
  /** Of a folder's files; null for a space. */
  digest: string | null;
  priority: number;
}

type FailedResult = Extract<AppResult, { kind: "failed" }>;
type Options = Omit<RunAppsOptions, "concurrency">;

/**
 * Has workers give every app its verdict, the first apps first. What has a verdict gets no job. May be killed and called
 * again: an app has one job, however often it is added.
 * @returns the results, in the order of the apps
 * @throws the signal's reason; errors of the store and of Redis. The jobs stay in the queue
 */
export async function runQueued(apps: readonly CatalogueApp[], redis: Redis, options: Options): Promise<AppResult[]> {
  const { version, signal, clock } = options;
  const queue = new Queue<CertifyJob>(queueName(version), { connection: redis });
  // An error is followed by another attempt to connect; without a listener it would end the process.
  queue.on("error", () => {});
  const run = new QueuedRun(queue, options);
  try {
    for (const [index, app] of apps.entries()) {
      signal.throwIfAborted();
      await run.add(app, index);
    }
    // While Redis is away, what is asked of it waits.
    await rejectOnAbort(run.findVerdicts(run.ids, { known: true }), signal);
    await rejectOnAbort(run.forgetFailures(), signal);
    for (let previousMs = 0; ; ) {
      const startedAt = clock.now();
      await rejectOnAbort(run.sweep(), signal);
      if (run.ids.length === 0) return apps.map((app) => run.results.get(app) as AppResult);
      const ms = clock.now() - startedAt;
      await sleep(clock, Math.max(SWEEP_MS, SWEEP_PAUSE * Math.min(ms, previousMs)), signal);
      previousMs = ms;
    }
  } finally {
    const closed = new AbortController();
    const closing = queue.close().finally(() => closed.abort());
    await Promise.race([closing, sleep(clock, CLOSE_MS, closed.signal)]);
  }
}

/** The apps of a run by their jobs, and the results of those whose jobs have ended. */
class QueuedRun {
  readonly results = new Map<CatalogueApp, AppResult>();
  /** By the ids of jobs that have not ended: copies of an app have the same one. */
  readonly #pending = new Map<string, PendingApp[]>();
  readonly #queue: Queue<CertifyJob>;
  readonly #options: Options;

  constructor(queue: Queue<CertifyJob>, options: Options) {
    this.#queue = queue;
    this.#options = options;
  }

  get ids(): string[] {
    return [...this.#pending.keys()];
  }

  async add(app: CatalogueApp, index: number): Promise<void> {
    const { tier, version, clock } = this.#options;
    const digest = isAddress(app.source) ? null : await digestOf(app.source).catch(() => null);
    // Without either, nobody knows whether it is the same: it gets a job of its own.
    const revision = app.revision ?? digest ?? `unknown at ${clock.unixTime()}`;
    const id = jobId(app, revision, tier, version);
    const pending = { app, digest, priority: Math.min(index + 1, LOWEST_PRIORITY) };
    this.#pending.set(id, [...(this.#pending.get(id) ?? []), pending]);
  }

  /** Gives all apps of a job their result. Without effect when they have one. */
  #finish(id: string, result: AppResult): void {
    const pending = this.#pending.get(id) ?? [];
    this.#pending.delete(id);
    for (const { app } of pending) {
      this.results.set(app, result);
      this.#options.onResult(app, result);
    }
  }

  /** Finishes those of some jobs that have a verdict. @param known whether it was there before this run */
  async findVerdicts(ids: readonly string[], { known = false } = {}): Promise<void> {
    for (const some of inBatches(ids, READ_AT_ONCE)) {
      this.#options.signal.throwIfAborted();
      await Promise.all(
        some.map(async (id) => {
          const verdict = this.#pending.has(id) ? await this.#options.store.linked(id) : null;
          if (verdict !== null) this.#finish(id, { kind: "verdict", verdict, known });
        }),
      );
    }
  }

  /** Finishes a job whose last attempt failed, by the verdict that another run may have made meanwhile. */
  async noteFailure(id: string, reason: string): Promise<void> {
    await this.findVerdicts([id]);
    if (this.#pending.has(id)) this.#finish(id, failureFrom(reason));
  }

  /** Jobs that failed in an earlier run are tried again. */
  async forgetFailures(): Promise<void> {
    // Removing a job moves those after it, so all are found first.
    const ids: string[] = [];
    for await (const { id } of this.#failed()) ids.push(id);
    for (const id of ids) await this.#queue.remove(id);
  }

  /** The failed jobs of this run, some read at a time: those of many runs may be kept. */
  async *#failed(): AsyncGenerator<{ id: string; failedReason: string }> {
    const count = await this.#queue.getFailedCount();
    for (let start = 0; start < count; start += FAILED_AT_ONCE) {
      this.#options.signal.throwIfAborted();
      const jobs = await this.#queue.getFailed(start, start + FAILED_AT_ONCE - 1);
      for (const { id = "", failedReason } of jobs) if (this.#pending.has(id)) yield { id, failedReason };
    }
  }

  /** Finds what has ended, and adds jobs that are not in the queue: at first all. */
  async sweep(): Promise<void> {
    await this.findVerdicts(this.ids);
    for await (const { id, failedReason } of this.#failed()) await this.noteFailure(id, failedReason);
    const { tier, jobs, signal } = this.#options;
    // Adding a job that is there changes nothing.
    for (const some of inBatches(this.ids, ADDED_AT_ONCE)) {
      signal.throwIfAborted();
      await this.#queue.addBulk(
        some.flatMap((id) => {
          const [first] = this.#pending.get(id) ?? [];
          if (first === undefined) return [];
          const { app, digest, priority } = first;
          return { name: app.name, data: { app, digest, tier, jobs }, opts: { ...JOB_OPTIONS, jobId: id, priority } };
        }),
      );
    }
  }
}

function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Why a job failed: what its worker threw, or what BullMQ says. */
function failureFrom(reason: string): FailedResult {
  try {
    const { digest, failure } = JSON.parse(reason) as { digest: string | null; failure: Failure };
    return { kind: "failed", digest, failure };
  } catch {
    return { kind: "failed", digest: null, failure: { kind: "crash", message: reason, output: "" } };
  }
}
