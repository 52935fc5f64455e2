import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkCanListen } from "./listen.ts";

test("a port that is taken and an address of another machine are refused with the next step", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(checkCanListen({ host: "127.0.0.1", port })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(`Port ${port} is taken`),
  });
  await expect(checkCanListen({ host: "192.0.2.1", port: 0 })).rejects.toThrow(
    "this is not an address of this machine",
  );
});

test("a free port can be used after the check", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await checkCanListen({ host: "127.0.0.1", port });
  await checkCanListen({ host: "127.0.0.1", port });
});
