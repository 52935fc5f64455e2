import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Queue } from "bullmq";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { type Clock, systemClock } from "../../../common/time/clock.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { rejectOnAbort } from "../../../common/time/reject-on-abort.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { CertifyContext } from "../run/certify-app.ts";
import { exampleContext } from "../testing/example-context.ts";
import { findRedisServer, TestRedis } from "../testing/redis-server.ts";
import { connectToRedis } from "./connect.ts";
import { type CertifyJob, queueName } from "./jobs.ts";
import { runWorker, type WorkerOptions } from "./run-worker.ts";

const VERSION = "0.0.0";
const DRAIN_S = 600;

describe.skipIf(findRedisServer() === null)("a worker", () => {
  /** A worker, and a queue with one job for it. @param changes what its certifications need */
  async function start({
    clock = systemClock,
    changes = () => ({}),
    ...options
  }: { clock?: Clock; changes?(signal: AbortSignal): Partial<CertifyContext> } & Partial<WorkerOptions> = {}) {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const folder = temporaryFolder("robot-work-test-");
    const source = join(folder, "app");
    await mkdir(source);
    const [connection, other] = await Promise.all([connectToRedis(redis.url), connectToRedis(redis.url)]);
    onTestFinished(() => connection.disconnect());
    onTestFinished(() => other.disconnect());
    const queue = new Queue<CertifyJob>(queueName(VERSION), { connection: other });
    queue.on("error", () => {});
    const app = { name: "app", source, revision: null };
    const data = { app, digest: null, tier: "short", jobs: 1 } as const;
    const job = await queue.add("app", data, { attempts: 2, priority: 7 });
    const drain = new AbortController();
    const working = runWorker(connection, {
      version: VERSION,
      concurrency: 1,
      clock,
      rate: null,
      contextFor: (_tier, _jobs, signal) => exampleContext(folder, { signal, ...changes(signal) }),
      onError: () => {},
      drain: drain.signal,
      drainSeconds: DRAIN_S,
      signal: new AbortController().signal,
      ...options,
    });
    return { redis, queue, job, drain, working };
  }

  test("ends when it is drained while Redis is away", async () => {
    const clock = new ManualClock();
    let finish = (): void => {};
    let isWaiting = false;
    const turn = new Promise<void>((_, reject) => {
      finish = () => reject(new Error("no turn"));
    });
    const waitForTurn = () => {
      isWaiting = true;
      return turn;
    };
    const { redis, drain, working } = await start({ clock, changes: () => ({ waitForTurn }) });
    await waitFor(DEADLINE_MS, "the job runs", () => isWaiting);
    await redis.kill();
    drain.abort();
    let isEnded = false;
    const ended = working.then(() => {
      isEnded = true;
    });
    finish();
    await waitFor(DEADLINE_MS, "the worker ends", async () => {
      await clock.advanceAsync(1000);
      return isEnded;
    });
    await ended;
    expect(clock.now()).toBeLessThan(DRAIN_S * 1000);
  });

  test("gives the job of a cancelled certification back with all its attempts and its priority", async () => {
    const cancel = new AbortController();
    const changes = (signal: AbortSignal) => ({
      waitForTurn: () => {
        cancel.abort(new Error("cancelled"));
        return rejectOnAbort(new Promise<void>(() => {}), signal);
      },
    });
    const { queue, job, working } = await start({ signal: cancel.signal, changes });
    await working;
    const id = job.id ?? "";
    expect([await queue.getJobState(id), (await queue.getJob(id))?.attemptsMade]).toEqual(["prioritized", 0]);
  });

  test("reports an error of the store", async () => {
    const reported: string[] = [];
    const onError = (source: string, { message }: Error) => void reported.push(`${source}: ${message}`);
    const changes = () => ({ waitForTurn: () => Promise.reject(new Error("the disk cannot be read")) });
    const { drain, working } = await start({ onError, changes });
    await waitFor(DEADLINE_MS, "the error is reported", () => reported.length > 0);
    drain.abort();
    await working;
    expect(reported[0]).toBe("app: the disk cannot be read");
  });
});
