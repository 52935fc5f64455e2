import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fakeTerminal } from "../../../assistant/testing/fake-terminal.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { connectToRedis } from "../queue/connect.ts";
import { findRedisServer, TestRedis } from "../testing/redis-server.ts";
import { certifyCatalogue } from "./certify-catalogue.ts";

test.skipIf(findRedisServer() === null)("a run by the queue says that Redis is away, and ends by Ctrl-C", async () => {
  const redis = await TestRedis.start();
  onTestFinished(() => redis.close());
  const folder = temporaryFolder("robot-catalogue-");
  await mkdir(join(folder, "apps/some_app"), { recursive: true });
  const interrupt = new AbortController();
  const terminal = fakeTerminal({ signal: interrupt.signal, cwd: folder, env: { HOME: folder } });
  const run = certifyCatalogue(terminal, "0.0.0", {
    ...{ catalogue: "apps", tier: "short", jobs: 1, json: true, queue: redis.url },
    ...{ store: join(folder, "store"), appMemory: 1000, hubUrl: "http://127.0.0.1:9" },
  });
  const ended = expect(run).rejects.toThrow("interrupted");
  const connection = await connectToRedis(redis.url);
  onTestFinished(() => connection.disconnect());
  const waiting = async () => (await connection.keys("*:prioritized")).length > 0;
  await waitFor(DEADLINE_MS, "the app's job is in the queue", waiting);
  await redis.kill();
  await waitFor(DEADLINE_MS, "the error is shown", () => /^Redis: .+/m.test(terminal.written.err));
  interrupt.abort(new Error("interrupted"));
  await ended;
});
