import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { checkCanListen, listen } from "./listen.ts";

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

/** Opens so many connections at once, and exits when all of them are established. */
const CONNECT = `
  const [port, count] = process.argv.slice(1).map(Number);
  let open = 0;
  for (let i = 0; i < count; i += 1)
    require("node:net").connect(port, "127.0.0.1", () => (open += 1) === count && process.exit(0));
`;
/** More than the 511 connections that wait by default. */
const CONNECTIONS = 600;

test("connections are established while the program is busy, more than any client may have open", async ({ skip }) => {
  const limit = Number((await readIfPresent("/proc/sys/net/core/somaxconn")) ?? 0);
  if (limit < 1024) return skip(`this system lets ${limit} connections wait`);
  const server = createServer((socket) => socket.destroy());
  await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  // Blocks the event loop, so that this program accepts none of them meanwhile.
  const client = spawnSync(process.execPath, ["-e", CONNECT, String(port), String(CONNECTIONS)], {
    timeout: DEADLINE_MS,
  });
  expect(client).toMatchObject({ status: 0, signal: null });
});
