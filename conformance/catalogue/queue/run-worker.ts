import { type Job, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { type Clock, sleep } from "../../../common/time/clock.ts";
import type { Tier } from "../../certify/tiers.ts";
import type { Failure } from "../../child-process/failure.ts";
import { type CertifyContext, certifyApp } from "../run/certify-app.ts";
import type { LogError } from "./error-log.ts";
import { type CertifyJob, queueName } from "./jobs.ts";

/** Milliseconds after which a job whose worker is silent may be taken over. */
const LOCK_MS = 20_000;
const STALLED_CHECK_MS = 10_000;
/** How often a job may be taken over: workers end for other reasons, too, than the app. */
const MAX_STALLED = 8;
/** Milliseconds that Redis has, after the last certification, to note how it ended. */
const NOTE_MS = 20_000;

export interface WorkerOptions {
  version: string;
  concurrency: number;
  clock: Clock;
  /** Certifications that all workers together begin in a minute; null for any number. */
  rate: number | null;
  /** What a job of a tier needs, cancelled by a signal. */
  contextFor(tier: Tier, jobs: number, signal: AbortSignal): CertifyContext;
  /** Called with errors of the queue, and of certifications that gave no result. */
  onError: LogError;
  /** Ends the work: jobs that run are finished first, for at most `drainSeconds`. */
  drain: AbortSignal;
  drainSeconds: number;
  /** Ends the work immediately: jobs that run are cancelled, and other workers take them. */
  signal: AbortSignal;
}

/**
 * Takes jobs until `drain` or `signal` aborts. Where this process is killed, other workers take its jobs over. Does not
 * return while Redis is away: the caller disconnects to end it.
 */
export async function runWorker(redis: Redis, options: WorkerOptions): Promise<void> {
  const { version, concurrency, rate, clock, drain, drainSeconds, signal } = options;
  const cancel = new AbortController();
  const running = new Set<Promise<void>>();
  const worker = new Worker<CertifyJob>(
    queueName(version),
    async (job, token) => {
      const certification = certifyJob(job, options, cancel.signal);
      running.add(certification);
      try {
        await certification.finally(() => running.delete(certification));
      } catch (error) {
        // Another worker takes it, and the job keeps its attempts.
        if (error instanceof WaitingError) await job.moveToWait(token);
        throw error;
      }
    },
    {
      connection: redis,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLED,
      ...(rate === null ? {} : { limiter: { max: rate, duration: 60_000 } }),
    },
  );
  worker.on("error", (error) => options.onError("the queue", error));
  await new Promise<void>((resolve) => {
    for (const each of [drain, signal]) each.addEventListener("abort", () => resolve(), { once: true });
    if (drain.aborted || signal.aborted) resolve();
  });
  const closed = new AbortController();
  const drainEnds = AbortSignal.any([signal, closed.signal]);
  const drainLimit = sleep(clock, drainSeconds * 1000, drainEnds).then(
    () => closed.signal.aborted || cancel.abort(new Error("drained")),
  );
  // Both wait for Redis, without a deadline of their own: `pause`, and `close` by force once it was called without.
  const paused = worker.pause().catch(() => {});
  const jobsNoted = waitUntilNoted(running, clock, closed.signal);
  await Promise.race([paused, jobsNoted]);
  closed.abort();
  await Promise.all([drainLimit, jobsNoted, worker.close(true)]);
}

/** Waits for the certifications that run, and then for Redis to note how they ended; `signal` ends the latter. */
async function waitUntilNoted(running: ReadonlySet<Promise<void>>, clock: Clock, signal: AbortSignal): Promise<void> {
  do {
    while (running.size > 0) await Promise.allSettled(running);
    await sleep(clock, NOTE_MS, signal);
    // A worker that notes the end of a job as it is paused may have fetched the next one with it.
  } while (running.size > 0);
}

/** Gives the app of a job its verdict. @throws Error with a reason for the run that added the job; errors of the store */
async function certifyJob(
  { id = "", data }: Job<CertifyJob>,
  options: WorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { app, digest, tier, jobs } = data;
  const context = options.contextFor(tier, jobs, signal);
  const result = await certifyApp(app, context).catch((error: Error) => {
    if (signal.aborted) throw new WaitingError();
    options.onError(app.name, error);
    throw error;
  });
  if (result.kind === "failed") throw new Error(reasonOf(result.digest, result.failure));
  const { key } = result.verdict;
  if (digest !== null && digest !== key.digest) throw changedMeanwhile(app.source, key.digest);
  await context.store.link(id, key);
}

/** What the run that added the job reads. */
const reasonOf = (digest: string | null, failure: Failure): string => JSON.stringify({ digest, failure });

function changedMeanwhile(source: string, digest: string): Error {
  const message = `the files of ${source} were changed after the run began; the next run certifies them`;
  return new UnrecoverableError(reasonOf(digest, { kind: "fetch", message, output: "" }));
}
