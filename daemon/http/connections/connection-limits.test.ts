import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { problemOf } from "../../../robot/wire/errors.ts";
import { ConnectionLimits, type ConnectionLimitValues, connectionLimitsFor } from "./connection-limits.ts";

const LIMITS: ConnectionLimitValues = {
  total: 8,
  perAddress: 2,
  loopback: 4,
  streamsPerAddress: 1,
  loopbackStreams: 2,
};

interface Answering {
  /** Opens a connection and sends nothing; resolves when the server has accepted or refused it. */
  open(): Promise<Socket>;
  /** Requests whose responses are held back. */
  held: { request: IncomingMessage; response: ServerResponse }[];
  limits: ConnectionLimits;
}

/** Serves `/` immediately; holds back the response to `/held`; counts `/stream` as a stream. */
async function serve(limits: ConnectionLimitValues, options: { cutsWaiting?: boolean } = {}): Promise<Answering> {
  const held: Answering["held"] = [];
  const server = createServer((request, response) => {
    try {
      if (request.url === "/stream") connectionLimits.admitStream(request, response);
      if (request.url === "/") response.end("ok");
      else held.push({ request, response });
    } catch (error) {
      response.writeHead(problemOf(error).status).end(problemOf(error).detail);
    }
  });
  const connectionLimits = new ConnectionLimits(limits, options);
  connectionLimits.watch(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    connectionLimits.destroyAll();
    server.close();
  });
  return {
    held,
    limits: connectionLimits,
    open: async () => {
      const accepted = once(server, "connection");
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      socket.on("error", () => {});
      await accepted;
      return socket;
    },
  };
}

const request = (socket: Socket, path: string) => void socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);

/** The status of the next response. */
async function statusOf(socket: Socket): Promise<number> {
  const [data] = await once(socket, "data");
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(data))?.[1]);
}

const isCut = (socket: Socket) => waitFor(DEADLINE_MS, "the connection is cut", () => socket.destroyed);

test("a new connection takes the place of the longest idle one", async () => {
  const { open } = await serve(LIMITS);
  const [first, second] = [await open(), await open(), await open(), await open()];
  request(first, "/");
  expect(await statusOf(first)).toBe(200);
  const late = await open();
  request(late, "/");
  expect(await statusOf(late)).toBe(200);
  await isCut(second);
  expect(first.destroyed).toBe(false);
});

test("a connection with a request in progress is not cut; a new one is refused while all are busy", async () => {
  const { open, held } = await serve(LIMITS);
  const sockets = [await open(), await open(), await open(), await open()];
  for (const socket of sockets) request(socket, "/held");
  await waitFor(DEADLINE_MS, "all requests arrive", () => held.length === 4);
  await isCut(await open());
  for (const { response } of held) response.end("late");
  expect(await Promise.all(sockets.map(statusOf))).toEqual([200, 200, 200, 200]);
});

test("streams of one address are limited, and requests have connections left", async () => {
  const { open, held } = await serve(LIMITS);
  const streams = [await open(), await open()];
  for (const socket of streams) request(socket, "/stream");
  await waitFor(DEADLINE_MS, "the streams open", () => held.length === 2);
  const socket = await open();
  request(socket, "/stream");
  expect(await statusOf(socket)).toBe(429);
  request(socket, "/");
  expect(await statusOf(socket)).toBe(200);

  streams[0]?.destroy();
  await once(held[0]?.response as ServerResponse, "close");
  request(socket, "/stream");
  await waitFor(DEADLINE_MS, "a stream opens in place of the closed one", () => held.length === 3);
});

test("when the port is full, the address with the most idle connections loses one", async () => {
  const { open } = await serve({ ...LIMITS, total: 3, loopback: 10 });
  const [first] = [await open(), await open(), await open()];
  const late = await open();
  await isCut(first);
  request(late, "/");
  expect(await statusOf(late)).toBe(200);
});

test("a closed connection makes room", async () => {
  const { open, held } = await serve(LIMITS);
  const sockets = [await open(), await open(), await open(), await open()];
  for (const socket of sockets) request(socket, "/held");
  await waitFor(DEADLINE_MS, "all requests arrive", () => held.length === 4);
  sockets[0]?.destroy();
  await once(held[0]?.response as ServerResponse, "close");
  const next = await open();
  request(next, "/");
  expect(await statusOf(next)).toBe(200);
});

test("without an idle connection, a new one takes the place of one that does not read its answer", async () => {
  const { open, held } = await serve(LIMITS);
  const sockets = [await open(), await open(), await open(), await open()];
  for (const socket of sockets) request(socket, "/held");
  await waitFor(DEADLINE_MS, "all requests arrive", () => held.length === 4);
  held[2]?.response.end(Buffer.alloc(50_000_000));
  const unread = held[2]?.request.socket;
  const late = await open();
  request(late, "/");
  expect(await statusOf(late)).toBe(200);
  expect([unread?.destroyed, held[0]?.request.socket.destroyed]).toEqual([true, false]);
});

test("a new connection takes the place of one whose request has not come as a whole", async () => {
  const { open, held } = await serve(LIMITS);
  const halves = [await open(), await open(), await open(), await open()];
  for (const half of halves) half.write("POST /held HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf");
  await waitFor(DEADLINE_MS, "the requests", () => held.length === 4);
  const late = await open();
  request(late, "/");
  expect(await statusOf(late)).toBe(200);
  expect(halves.filter(({ destroyed }) => destroyed)).toHaveLength(1);
});

test("where requests only wait for somebody else, any number of them leaves room for a new one", async () => {
  const { open, held } = await serve(LIMITS, { cutsWaiting: true });
  const sockets: Socket[] = [];
  for (let count = 1; count <= 12; count += 1) {
    const socket = await open();
    sockets.push(socket);
    request(socket, "/held");
    await waitFor(DEADLINE_MS, "the request", () => held.length === count);
  }
  const late = await open();
  request(late, "/");
  expect(await statusOf(late)).toBe(200);
  await waitFor(DEADLINE_MS, "the oldest are cut", () => sockets.filter(({ destroyed }) => destroyed).length === 9);
  expect(sockets.slice(-3).every(({ destroyed }) => !destroyed)).toBe(true);
});

test.each([256, 512, 1024, 4096, 1_000_000, Number.POSITIVE_INFINITY])(
  "with %d open files, connections leave the daemon what it needs itself",
  (openFiles) => {
    const { port, pages } = connectionLimitsFor(openFiles);
    expect(port.total + 2 * pages.total).toBeLessThanOrEqual(openFiles - 192);
    expect([port.total >= 32, pages.total >= 16, port.total <= 1024, pages.total <= 256]).toEqual(Array(4).fill(true));
  },
);
