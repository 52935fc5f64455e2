import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fakeTerminal } from "../../../assistant/testing/fake-terminal.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { connectToRedis } from "../queue/connect.ts";
import { findRedisServer, TestRedis } from "../testing/redis-server.ts";
import { certificationWorkerCommand } from "./worker-command.ts";

test.skipIf(findRedisServer() === null)(
  "a worker whose metrics port is taken ends, and names the port and what to do",
  async () => {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    let listeners = 0;
    const onTerminate = () => {
      listeners += 1;
      return () => {
        listeners -= 1;
      };
    };
    const args = ["--queue", redis.url, "--metrics-port", String(port)];
    await expect(
      certificationWorkerCommand(fakeTerminal({ onTerminate }), "0.0.0").parseAsync(args, { from: "user" }),
    ).rejects.toMatchObject({
      code: "usage",
      message: `Port ${port} of 127.0.0.1 for the metrics is taken. Choose another with --metrics-port, or 0 for a free one.`,
    });
    expect(listeners).toBe(0);
    const connection = await connectToRedis(redis.url);
    onTestFinished(() => connection.disconnect());
    const clients = async () =>
      String(await connection.client("LIST"))
        .trim()
        .split("\n").length;
    await waitFor(DEADLINE_MS, "the worker is disconnected", async () => (await clients()) === 1);
  },
);

test.skipIf(findRedisServer() === null)("a worker without a Python ends with check-failed", async () => {
  const redis = await TestRedis.start();
  onTestFinished(() => redis.close());
  const folder = temporaryFolder("robot-worker-");
  const env = { PATH: process.env.PATH, XDG_DATA_HOME: join(folder, "data"), ROBOT_PYTHON: join(folder, "python") };
  await expect(
    certificationWorkerCommand(fakeTerminal({ cwd: folder, env }), "0.0.0").parseAsync(["--queue", redis.url], {
      from: "user",
    }),
  ).rejects.toMatchObject({ code: "check-failed", message: expect.stringContaining(join(folder, "python")) });
});
