import { type Job, UnrecoverableError, Worker } from "bullmq";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { type Clock, systemClock } from "../../../common/time/clock.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import type { CatalogueVerdict } from "../catalogue-verdict.ts";
import { FolderObjects } from "../store/folder-objects.ts";
import { VerdictStore } from "../store/verdict-store.ts";
import { exampleContext } from "../testing/example-context.ts";
import { exampleCatalogueVerdict, exampleKey } from "../testing/example-run.ts";
import { findRedisServer, TestRedis } from "../testing/redis-server.ts";
import { connectToRedis } from "./connect.ts";
import { type CertifyJob, queueName } from "./jobs.ts";
import { runQueued } from "./run-queued.ts";

const VERSION = "0.0.0";

/** A store whose links can be read until it fails. */
class FailingStore extends VerdictStore {
  fails = false;

  override async linked(id: string): Promise<CatalogueVerdict | null> {
    if (this.fails) throw new Error("the disk cannot be read");
    return super.linked(id);
  }
}

const appOf = (name: string) => ({
  name,
  source: `https://hub.example/spaces/maker/${name}`,
  revision: "a".repeat(40),
});

describe.skipIf(findRedisServer() === null)("a run by the queue", () => {
  /** A run of some apps, whose jobs a worker of the test executes. */
  async function start(
    apps: readonly CatalogueApp[],
    execute: (job: Job<CertifyJob>, store: FailingStore, redis: TestRedis) => Promise<void>,
    { signal = AbortSignal.timeout(DEADLINE_MS), clock = systemClock as Clock } = {},
  ) {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const folder = temporaryFolder("robot-run-queued-");
    const connection = await connectToRedis(redis.url);
    onTestFinished(() => connection.disconnect());
    const store = new FailingStore(new FolderObjects(folder));
    const worker = new Worker<CertifyJob>(queueName(VERSION), (job) => execute(job, store, redis), { connection });
    worker.on("error", () => {});
    onTestFinished(() => worker.close(true));
    const context = exampleContext(folder, { store, signal, clock });
    return runQueued(apps, connection, { ...context, onResult: () => {} });
  }

  test("an error of the store when a job has ended ends the run with that error", async () => {
    const run = start([appOf("app")], async (_job, store) => {
      store.fails = true;
    });
    await expect(run).rejects.toThrow("the disk cannot be read");
  });

  test("ends when it is cancelled while Redis is away", async () => {
    const cancel = new AbortController();
    const execute = async (_job: unknown, _store: unknown, redis: TestRedis): Promise<void> => {
      await redis.kill();
      cancel.abort(new Error("cancelled"));
    };
    await expect(start([appOf("app")], execute, cancel)).rejects.toThrow("cancelled");
  });

  test("looks again soon after Redis was away for an hour", async () => {
    let [hours, readings] = [0, 0];
    // The run reads the clock before and after each sweep.
    const now = () => {
      readings += 1;
      return systemClock.now() + hours * 3_600_000;
    };
    const clock = { ...systemClock, now };
    const execute = async ({ id = "" }: Job<CertifyJob>, store: FailingStore, redis: TestRedis): Promise<void> => {
      await redis.kill();
      await waitFor(DEADLINE_MS, "a sweep waits for Redis", () => readings % 2 === 1);
      hours += 1;
      await redis.restart();
      await store.put(exampleCatalogueVerdict(), {});
      await waitFor(DEADLINE_MS, "the sweep has ended", () => readings % 2 === 0);
      await store.link(id, exampleKey());
    };
    expect(await start([appOf("app")], execute, { clock })).toMatchObject([{ kind: "verdict" }]);
  });

  test("reads more failed jobs than one command does", async () => {
    const failure = { kind: "harness" as const, message: "no Python", output: "Traceback" };
    const { digest } = exampleKey();
    const apps = Array.from({ length: 450 }, (_, number) => appOf(`app-${number}`));
    const results = await start(apps, async () => {
      throw new UnrecoverableError(JSON.stringify({ digest, failure }));
    });
    expect(results).toEqual(apps.map(() => ({ kind: "failed", digest, failure })));
  });

  test("gives each app what became of its job, and copies of an app the same", async () => {
    const failure = { kind: "harness" as const, message: "no Python", output: "" };
    const executed: string[] = [];
    const [good, bad] = [appOf("good"), appOf("bad")];
    const results = await start([good, bad, { ...good, name: "copy" }], async ({ id = "", data: { app } }, store) => {
      executed.push(app.name);
      if (app.name === "bad") throw new UnrecoverableError(JSON.stringify({ digest: null, failure }));
      await store.put(exampleCatalogueVerdict(), {});
      await store.link(id, exampleKey());
    });
    const verdict = { kind: "verdict", verdict: exampleCatalogueVerdict(), known: false };
    expect(results).toEqual([verdict, { kind: "failed", digest: null, failure }, verdict]);
    expect(executed.sort()).toEqual(["bad", "good"]);
  });

  test("finds a verdict whose job left the queue without an event", async () => {
    const results = await start([appOf("app")], async ({ id = "" }, store) => {
      // The job ends only after the run has: as when the worker was killed between the verdict and the job's end.
      await store.put(exampleCatalogueVerdict(), {});
      await store.link(id, exampleKey());
      await new Promise(() => {});
    });
    expect(results).toEqual([{ kind: "verdict", verdict: exampleCatalogueVerdict(), known: false }]);
  });
});
