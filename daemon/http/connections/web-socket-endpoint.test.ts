import { once } from "node:events";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { type EndpointServer, serveEndpoint } from "../testing/endpoint-server.ts";
import type { EndpointOptions, WebSocketClient } from "./web-socket-endpoint.ts";

/** More than the system's buffers at both ends hold. */
const MANY_BYTES = 20_000_000;
const KILOBYTE = "x".repeat(1000);

async function serve(options: Partial<EndpointOptions> = {}): Promise<EndpointServer & { clock: ManualClock }> {
  const clock = new ManualClock();
  const server = await serveEndpoint({ clock, maxMessageBytes: 100_000, ...options });
  return { ...server, clock };
}

/** Lets a paused socket read until a marker that is sent now; returns the number of messages before it. */
async function messagesUntilMarker(socket: WebSocket, { queue }: WebSocketClient): Promise<number> {
  let count = 0;
  const marker = new Promise<void>((resolve) => {
    socket.on("message", (_, isBinary) => {
      if (isBinary) count += 1;
      else resolve();
    });
  });
  socket.resume();
  queue.send("marker");
  await marker;
  return count;
}

test("a client that does not read its replies is disconnected with the reason", async () => {
  const server = await serve();
  const { socket, client } = await server.connect();
  socket.pause();
  let sent = 0;
  for (; sent < MANY_BYTES && server.endpoint.clients.has(client); sent += KILOBYTE.length) {
    client.queue.send(KILOBYTE);
    if (sent % 1_000_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (client.queue.isClosed) break;
  }
  expect(sent).toBeLessThan(MANY_BYTES);
  socket.resume();
  const [code, reason] = await once(socket, "close");
  expect([code, String(reason)]).toEqual([1008, "more than 1 MB of unread messages"]);
});

test("a client that does not even read the reason is cut off after a second", async () => {
  const server = await serve();
  const { socket, client } = await server.connect();
  socket.pause();
  client.queue.close("a reason");
  await server.clock.advanceAsync(999);
  expect(client.scope.isClosed).toBe(false);
  await server.clock.advanceAsync(1);
  await waitFor(DEADLINE_MS, "the connection is cut off", () => client.scope.isClosed);
});

test("a client that is behind misses states, and gets the newest one when it reads again", async () => {
  const server = await serve();
  const { socket, client } = await server.connect();
  socket.pause();
  const count = MANY_BYTES / KILOBYTE.length;
  for (let i = 1; i <= count; i += 1) {
    client.queue.sendNewest("state", `${i} ${KILOBYTE}`);
    client.queue.sendNewest("status", `status ${i}`);
    if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const received: string[] = [];
  socket.on("message", (data) => received.push(String(data).slice(0, 20)));
  socket.resume();
  await waitFor(
    DEADLINE_MS,
    "the newest messages arrive",
    () => received.some((text) => text.startsWith(`${count} `)) && received.includes(`status ${count}`),
  );
  expect(received.length).toBeLessThan(count);
});

test("a client that is behind misses samples", async () => {
  const server = await serve();
  const { socket, client } = await server.connect();
  socket.pause();
  const count = MANY_BYTES / KILOBYTE.length;
  for (let i = 0; i < count; i += 1) {
    client.queue.sendOrDrop(Buffer.from(KILOBYTE));
    if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await messagesUntilMarker(socket, client)).toBeLessThan(count);
});

test("a client with many unanswered messages is not read until some are answered", async () => {
  const answers: (() => void)[] = [];
  const server = await serve({
    onMessage: () => new Promise((resolve) => void answers.push(resolve)),
  });
  const { socket } = await server.connect();
  // One read of the system takes at most 64 KB, a message of this size each.
  const count = 200;
  for (let i = 0; i < count; i += 1) socket.send("x".repeat(65_000));
  await waitFor(DEADLINE_MS, "32 messages are read", () => answers.length >= 32);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers.length).toBeLessThan(40);
  for (let answered = 0; answered < count; ) {
    await waitFor(DEADLINE_MS, "the next message is read", () => answers.length > answered);
    answers[answered++]?.();
  }
  expect(answers).toHaveLength(count);
});

test("a client that sends without a pause gets a small share of each turn of the event loop", async () => {
  let [ofThisTurn, most, received] = [0, 0, 0];
  const server = await serve({
    onMessage: () => {
      received += 1;
      ofThisTurn += 1;
      most = Math.max(most, ofThisTurn);
      return undefined;
    },
  });
  const { socket } = await server.connect();
  const count = 10_000;
  for (let i = 0; i < count; i += 1) socket.send(KILOBYTE);
  while (received < count) {
    ofThisTurn = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(most).toBeLessThanOrEqual(2);
});

test.each([1, 64_000])(
  "clients that all send messages of %i bytes without a pause have one share together",
  async (bytes) => {
    let [ofThisTurn, most, received] = [0, 0, 0];
    const server = await serve({
      onMessage: (_, data) => {
        received += 1;
        ofThisTurn += 1 + data.length / 1000;
        most = Math.max(most, ofThisTurn);
        return undefined;
      },
    });
    const clients = await Promise.all(Array.from({ length: 50 }, () => server.connect()));
    const count = bytes === 1 ? 200 : 10;
    for (let i = 0; i < count; i += 1) for (const { socket } of clients) socket.send("x".repeat(bytes));
    while (received < count * clients.length) {
      ofThisTurn = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(most).toBeLessThanOrEqual(2 * 256);
  },
);

test("messages come in order, and one that waits for others is not lost", async () => {
  const received: number[] = [];
  const server = await serve({
    onMessage: (_, data) => {
      received.push(Number(data));
      return Number(data) % 3 === 0 ? new Promise((resolve) => void setImmediate(resolve)) : undefined;
    },
  });
  const { socket } = await server.connect();
  const count = 2000;
  for (let i = 0; i < count; i += 1) socket.send(String(i));
  await waitFor(DEADLINE_MS, "all messages", () => received.length === count);
  expect(received).toEqual(Array.from({ length: count }, (_, i) => i));
});

test("pings of a client that does not read its pongs are left unanswered", async () => {
  const server = await serve();
  const { socket, client } = await server.connect();
  socket.pause();
  const payload = "x".repeat(125);
  const count = MANY_BYTES / payload.length;
  for (let i = 0; i < count; i += 1) {
    socket.ping(payload);
    if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await waitFor(DEADLINE_MS, "all pings are sent", () => socket.bufferedAmount === 0);
  let pongs = 0;
  socket.on("pong", () => {
    pongs += 1;
  });
  await messagesUntilMarker(socket, client);
  expect(pongs).toBeLessThan(count);
});

test("a flood of pings gets a small share of each turn of the event loop", async () => {
  const server = await serve();
  const { socket } = await server.connect();
  const pongs: string[] = [];
  socket.on("pong", (data) => pongs.push(String(data)));
  const count = 40_000;
  for (let i = 0; i < count; i += 1) socket.ping(String(i).padEnd(125));
  await waitFor(DEADLINE_MS, "the last ping is answered", () => pongs.at(-1)?.trim() === String(count - 1));
  // Each turn reads 64 KB at most, and answers its last ping.
  expect(pongs.length).toBeGreaterThan(40);
});

test("closing the endpoint closes its connections, and cuts off those that do not answer", async () => {
  const server = await serve();
  const [polite, stalled] = [await server.connect(), await server.connect()];
  stalled.socket.pause();
  server.endpoint.close();
  const [code] = await once(polite.socket, "close");
  expect(code).toBe(1001);
  expect(stalled.client.scope.isClosed).toBe(false);
  await server.clock.advanceAsync(1000);
  await waitFor(DEADLINE_MS, "the connection is cut off", () => stalled.client.scope.isClosed);
});

test("a message may come in 256 pieces; one in more ends its connection", async () => {
  const received: string[] = [];
  const server = await serve({ onMessage: (_, data) => void received.push(String(data)) });
  const sendInPieces = (socket: WebSocket, count: number) => {
    for (let piece = 1; piece < count; piece += 1) socket.send("x", { fin: false });
    socket.send("x");
  };
  const { socket: allowed } = await server.connect();
  sendInPieces(allowed, 256);
  await waitFor(DEADLINE_MS, "the message", () => received.length === 1);
  expect(received[0]).toHaveLength(256);
  const { socket: refused } = await server.connect();
  const closed = once(refused, "close");
  sendInPieces(refused, 257);
  await closed;
  expect(received).toHaveLength(1);
});
