import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket as Client, WebSocketServer } from "ws";
import { SwitchedSocket } from "./switched-socket.ts";

let server: WebSocketServer;

beforeEach(async () => {
  // The page runs in a browser; Node 20 has no WebSocket of its own.
  vi.stubGlobal("WebSocket", Client);
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const client of server.clients) client.terminate();
  server.close();
});

function openSocket(): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test("a lost socket is opened again while the page wants it", async () => {
  const opened = vi.fn();
  const message = vi.fn();
  server.on("connection", (client) => client.send("scene"));
  const socket = new SwitchedSocket(openSocket, { opened, message });
  socket.setOpen(true);
  await expect.poll(() => message.mock.calls).toEqual([["scene"]]);
  for (const client of server.clients) client.terminate();
  await expect.poll(() => message.mock.calls).toEqual([["scene"], ["scene"]]);
  expect(opened).toHaveBeenCalledTimes(2);
  socket.setOpen(false);
  await expect.poll(() => server.clients.size).toBe(0);
});
