import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { oneAtATime } from "./limited-server.ts";

/** Paths that were handled, with their responses. */
let handled: { path: string; response: ServerResponse }[];
let port: number;
let closing: AbortController;
beforeEach(async () => {
  closing = new AbortController();
  handled = [];
  const url = await serveHttp(
    oneAtATime((request, response) => void handled.push({ path: request.url ?? "", response }), closing.signal),
  );
  port = Number(new URL(url).port);
});

/** Sends requests in one write. */
async function send(...requests: string[]): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(requests.join(""));
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => get(`/${index + 1}`));
const until = (what: string, condition: () => boolean) => waitFor(DEADLINE_MS, what, condition);
const paths = () => handled.map(({ path }) => path);

test("requests of one connection begin when those before them are answered", async () => {
  const socket = await send(...numbered(3));
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  for (const count of [1, 2, 3]) {
    await until("a request begins", () => handled.length === count);
    handled[count - 1]?.response.end(`answer ${count}.`);
  }
  await until("all are answered", () => text.includes("answer 3."));
  expect(paths()).toEqual(["/1", "/2", "/3"]);
  expect(text.match(/answer \d/g)).toEqual(["answer 1", "answer 2", "answer 3"]);
  socket.write(get("/4"));
  await until("the connection is used again", () => handled.length === 4);
});

test("a connection with nine requests is served; one with ten is closed", async () => {
  const socket = await send(...numbered(9));
  socket.resume();
  for (let count = 1; count <= 9; count += 1) {
    await until("a request begins", () => handled.length === count);
    handled[count - 1]?.response.end();
  }
  const other = await send(...numbered(10));
  other.resume();
  await once(other, "close");
  expect(handled.length).toBe(10);
});

test("requests that wait when their connection closes are dropped; other connections go on", async () => {
  const socket = await send(...numbered(5));
  await until("the first request begins", () => handled.length === 1);
  const other = await send(get("/other"));
  await until("another connection's request begins", () => handled.length === 2);
  const closed = once(handled[0]?.response as ServerResponse, "close");
  socket.destroy();
  await closed;
  handled[0]?.response.end("late");
  handled[1]?.response.end("in time");
  await once(other, "data");
  expect(paths()).toEqual(["/1", "/other"]);
});

test("a body that waits is read when its request begins", async () => {
  const body = "x".repeat(200_000);
  await send(
    get("/first"),
    `POST /second HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await until("the first request begins", () => handled.length === 1);
  handled[0]?.response.end();
  await until("the second request begins", () => handled.length === 2);
  let bytes = 0;
  for await (const chunk of handled[1]?.response.req ?? []) bytes += chunk.length;
  expect(bytes).toBe(body.length);
});

test("when the server closes, the answer under way is finished and what waits is dropped", async () => {
  const socket = await send(...numbered(3));
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  await until("a request begins", () => handled.length === 1);
  closing.abort();
  handled[0]?.response.end("answer 1.");
  await until("the connection is closed", () => socket.closed);
  expect(text).toContain("answer 1.");
  expect(paths()).toEqual(["/1"]);
});
