import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type Hub, openHub } from "../../../assistant/hub/hub.ts";

/** The local hub with the spaces of `fixtures/hub`, for the length of a test. */
export async function localHub(dataDir: string, more: { port?: number; pageSize?: number } = {}): Promise<Hub> {
  const hub = await openHub({
    dataDir: path.join(dataDir, "hub"),
    port: 0,
    seed: path.resolve("fixtures/hub"),
    searchPath: process.env.PATH ?? "",
    now: Date.now,
    onDefect: (error) => {
      throw error;
    },
    ...more,
  });
  onTestFinished(() => hub.close());
  return hub;
}

/** Anything that answers HTTP, for what a hub should never do; returns its address. */
export async function strangeHub(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
