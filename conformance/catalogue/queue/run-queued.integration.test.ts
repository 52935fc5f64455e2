import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "bullmq";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../common/time/clock.ts";
import { Hub } from "../../../daemon/apps/hub/hub.ts";
import type { CatalogueVerdict } from "../catalogue-verdict.ts";
import { FolderStore } from "../store/folder-store.ts";
import { findRedisServer, TestRedis } from "../testing/redis-server.ts";
import { connectToRedis } from "./connect.ts";
import { queueName } from "./jobs.ts";
import { runQueued } from "./run-queued.ts";

const VERSION = "0.0.0";
const DONE_MS = 60_000;

/** A store that cannot be read once, when the first job has ended. */
class FailingStore extends FolderStore {
  #reads = 0;

  override async linked(id: string): Promise<CatalogueVerdict | null> {
    this.#reads += 1;
    if (this.#reads === 2) throw new Error("the disk cannot be read");
    return super.linked(id);
  }
}

test.skipIf(findRedisServer() === null)(
  "an error of the store when a job has ended ends the run with that error",
  async () => {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const folder = await mkdtemp(join(tmpdir(), "robot-run-queued-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const connection = await connectToRedis(redis.url);
    onTestFinished(() => connection.disconnect());
    const worker = new Worker(queueName(VERSION), async () => {}, { connection });
    worker.on("error", () => {});
    onTestFinished(() => worker.close(true));
    const app = { name: "app", source: "https://hub.example/spaces/maker/app", revision: "a".repeat(40) };
    const run = runQueued([app], connection, {
      store: new FailingStore(folder),
      hub: new Hub({ url: "http://127.0.0.1:9", token: null }),
      version: VERSION,
      tier: "short",
      jobs: 1,
      deadline: 1,
      memoryBytes: 1,
      cache: folder,
      worker: "a:1",
      job: null,
      env: {},
      clock: systemClock,
      signal: AbortSignal.timeout(DONE_MS),
      waitForTurn: async () => {},
      onResult: () => {},
    });
    await expect(run).rejects.toThrow("the disk cannot be read");
  },
);
