import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { portHolder } from "./port-holder.ts";

test.each(["127.0.0.1", "0.0.0.0", "::1"])(
  "a process that listens at %s is named by its command, until it ends",
  async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(await portHolder(port)).toMatch(new RegExp(`^process ${process.pid} \\(\\S*node`));
    await new Promise((resolve) => server.close(resolve));
    expect(await portHolder(port)).toBe(null);
  },
);
