import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fakeTerminal } from "../../../assistant/testing/fake-terminal.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { findRedisServer, TestRedis } from "../testing/redis-server.ts";
import { certificationWorkerCommand } from "./worker-command.ts";

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
