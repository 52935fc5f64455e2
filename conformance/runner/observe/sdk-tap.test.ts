import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import WebSocket, { WebSocketServer } from "ws";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { encodeAudio } from "../../../robot/wire/audio/audio-frames.ts";
import { SdkTap } from "./sdk-tap.ts";

/** A daemon that echoes: socket messages as they come, request bodies with their headers. */
function echoServer() {
  const headers: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    headers.push(request.headers);
    response.setHeader("x-path", request.url ?? "").end(Buffer.concat(chunks));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    headers.push(request.headers);
    socket.on("message", (data, binary) => socket.send(data, { binary }));
  });
  return { server, sockets, headers };
}

let daemon: ReturnType<typeof echoServer>;
let daemonUrl: string;
let tap: SdkTap;
let address: string;
let seen: string[];
beforeEach(async () => {
  daemon = echoServer();
  // Of this test alone: connections that the end of another one closes are reported late.
  const reported: string[] = [];
  seen = reported;
  tap = new SdkTap(() => ({
    onConnectAttempt: (pid) => reported.push(`attempt ${pid}`),
    onConnect: (pid) => reported.push(`connect ${pid}`),
    onDisconnect: (pid, _connection, byTap) => reported.push(`disconnect ${pid}${byTap ? " by the tap" : ""}`),
    onSound: (pid, what) => reported.push(`sound ${pid} ${what}`),
    onCommand: ({ pid, kind, text }) => reported.push(`command ${pid} ${kind} ${text}`),
  }));
  address = await tap.open();
  daemonUrl = await serveHttp(daemon.server);
  tap.forwardTo(daemonUrl);
});
afterEach(() => {
  tap.close();
  for (const socket of daemon.sockets.clients) socket.terminate();
});

async function connect(path: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace("http", "ws")}${path}`, { headers });
  await once(socket, "open");
  return socket;
}

async function echo(socket: WebSocket, message: string | Buffer): Promise<{ data: Buffer; binary: boolean }> {
  const answer = once(socket, "message");
  socket.send(message);
  const [data, binary] = (await answer) as [Buffer, boolean];
  return { data, binary };
}

test("any bytes pass unchanged in both directions, binary and text, over sockets and requests", async () => {
  const socket = await connect("/ws/audio");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.string({ unit: "grapheme" }), async (bytes, text) => {
      const binary = await echo(socket, Buffer.from(bytes));
      expect([binary.binary, Buffer.compare(binary.data, Buffer.from(bytes))]).toEqual([true, 0]);
      expect(await echo(socket, text)).toEqual({ data: Buffer.from(text), binary: false });
      const response = await fetch(`${address}/anything?a=1`, { method: "POST", body: Buffer.from(bytes) });
      expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes))).toBe(0);
    }),
    { numRuns: 30 },
  );
  socket.terminate();
});

test("reports connections, disconnections and commands of the SDK socket, with the client's process id", async () => {
  const socket = await connect("/ws/sdk", { "x-robot-client-pid": "4711", authorization: "Bearer token" });
  await echo(socket, '{"type":"set_target","head":[]}');
  await echo(socket, '{"type":"start_recording"}');
  socket.close();
  await waitFor(DEADLINE_MS, "the disconnection is reported", () => seen.includes("disconnect 4711"));
  expect(seen).toEqual([
    "attempt 4711",
    "connect 4711",
    'command 4711 set_target {"type":"set_target","head":[]}',
    "disconnect 4711",
  ]);
  expect(daemon.headers[0]).toMatchObject({ "x-robot-client-pid": "4711", authorization: "Bearer token" });
});

test.each([
  ["/ws/sdk?x=1", '{"type":"set_antennas"}', "set_antennas"],
  ["/ws/sdk", '{"x":{"type":"set_wobbling"},"type":"set_full_target"}', "set_full_target"],
  ["/ws/sdk", '{"type":"set_wobbling","type":"set_target"}', "set_target"],
  ["/ws/sdk", '{"type":"set_antennas","antennas":[NaN,0]}', "set_antennas"],
  ["/ws/sdk", "no JSON", "unknown"],
  ["/api/move/ws/set_target", '{"antennas":[1,0]}', "/api/move/ws/set_target"],
])("a command over %s that is %s is reported as %s", async (path, text, kind) => {
  const socket = await connect(path);
  await echo(socket, text);
  expect(seen.filter((each) => each.startsWith("command"))).toEqual([`command null ${kind} ${text}`]);
  socket.terminate();
});

test.each(["/api/move/goto?x=1", "/API/Move/goto", "/api/move/goto/"])("a move over %s is one", async (path) => {
  await fetch(`${address}${path}`, { method: "POST", body: "{}" });
  expect(seen).toEqual(["command null /api/move/goto {}"]);
});

test("reports REST moves with their bodies, and no other requests", async () => {
  await fetch(`${address}/api/move/goto`, { method: "POST", body: '{"duration":2}' });
  await fetch(`${address}/api/volume/set`, { method: "POST", body: "{}" });
  await fetch(`${address}/api/move/running`);
  expect(seen).toEqual(['command null /api/move/goto {"duration":2}']);
});

test("closes connections and refuses new ones until it is restored", async () => {
  const socket = await connect("/ws/sdk");
  const closed = once(socket, "close");
  tap.dropConnections();
  await closed;
  await expect(connect("/ws/sdk")).rejects.toThrow();
  await expect(fetch(`${address}/api/daemon/status`)).rejects.toThrow();
  tap.restore();
  (await connect("/ws/sdk")).terminate();
});

test("a silent tap answers nothing; what was connected stays silent when it is restored, new connections do not", async () => {
  const socket = await connect("/ws/sdk");
  tap.goSilent();
  socket.send("lost");
  const held = connect("/ws/sdk");
  tap.restore();
  const other = await held;
  expect(String((await echo(other, "heard")).data)).toBe("heard");
  socket.once("message", () => expect.unreachable());
  socket.send("lost, too");
  expect(String((await echo(other, "heard again")).data)).toBe("heard again");
  expect(socket.readyState).toBe(WebSocket.OPEN);
});

test("a client that leaves before the daemon has answered leaves no connection to the daemon", async () => {
  const slow = createServer();
  await inPlaceOfTheDaemon(slow);
  const asked = once(slow, "upgrade");
  const client = new WebSocket(`${address.replace("http", "ws")}/ws/sdk`);
  client.on("error", () => {});
  const [, waiting] = (await asked) as [unknown, Duplex];
  waiting.on("end", () => waiting.destroy()).on("error", () => {});
  const closed = once(waiting.resume(), "close");
  client.terminate();
  await closed;
  expect(seen.filter((what) => !what.startsWith("attempt"))).toEqual([]);
});

test("a client that leaves in the middle of an answer ends the request to the daemon", async () => {
  const stream = createServer((_request, response) => void response.write("a first part"));
  await inPlaceOfTheDaemon(stream);
  const asked = once(stream, "request");
  const end = new AbortController();
  await fetch(`${address}/api/camera/stream`, { signal: end.signal });
  const [, answer] = (await asked) as [unknown, ServerResponse];
  const closed = once(answer, "close");
  end.abort();
  await closed;
  expect(answer.writableFinished).toBe(false);
});

/** A server in place of the daemon; the tap's connections go there. */
async function inPlaceOfTheDaemon(server: Server): Promise<void> {
  tap.forwardTo(await serveHttp(server));
}

test("connections that the daemon has not answered yet are closed with the others", async () => {
  const slow = createServer();
  await inPlaceOfTheDaemon(slow);
  const asked = once(slow, "upgrade");
  const client = new WebSocket(`${address.replace("http", "ws")}/ws/sdk`);
  const closed = once(client, "error");
  await asked;
  expect(tap.isIdle).toBe(false);
  tap.dropConnections();
  await closed;
  tap.restore();
  await waitFor(DEADLINE_MS, "the tap is idle", () => tap.isIdle);
});

test("an answer that the daemon cuts off is cut off for the app", async () => {
  const answers: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.write("a first part");
    answers.push(response);
  });
  await inPlaceOfTheDaemon(server);
  const { body } = await fetch(`${address}/api/anything`);
  answers[0]?.destroy();
  await expect(new Response(body).text()).rejects.toThrow();
});

test.each(["http://127.0.0.1/api/move/goto", "/api\\move\\goto", "/api/move/goto#here"])(
  "a request to %s is refused",
  async (path) => {
    const { port } = new URL(address);
    const sent = request({ port, path, method: "POST" }).end("{}");
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, daemon.headers, seen]).toEqual([400, [], []]);
  },
);

test("a delayed message arrives although its sender has closed", async () => {
  const arrived: string[] = [];
  daemon.sockets.on("connection", (socket) => socket.on("message", (data) => void arrived.push(String(data))));
  tap.setDelay(100);
  const socket = await connect("/ws/sdk");
  socket.send('{"type":"set_target"}');
  socket.close();
  await waitFor(DEADLINE_MS, "the message has arrived", () => arrived.length > 0);
  expect(arrived).toEqual(['{"type":"set_target"}']);
});

test("a message that is sent after the delay has ended does not overtake a delayed one", async () => {
  const arrived: string[] = [];
  daemon.sockets.on("connection", (socket) => socket.on("message", (data) => void arrived.push(String(data))));
  const socket = await connect("/ws/sdk");
  tap.setDelay(100);
  socket.send('{"type":"set_target"}');
  await waitFor(DEADLINE_MS, "the tap has it", () => seen.some((each) => each.startsWith("command")));
  tap.setDelay(0);
  socket.send('{"type":"goto_target"}');
  await waitFor(DEADLINE_MS, "both have arrived", () => arrived.length > 1);
  expect(arrived).toEqual(['{"type":"set_target"}', '{"type":"goto_target"}']);
});

test("is idle when no client is connected and it interferes with nothing", async () => {
  expect(tap.isIdle).toBe(true);
  tap.setDelay(5);
  expect(tap.isIdle).toBe(false);
  tap.setDelay(0);
  const socket = await connect("/ws/sdk");
  expect(tap.isIdle).toBe(false);
  socket.close();
  await waitFor(DEADLINE_MS, "the tap is idle", () => tap.isIdle);
});

test("the daemon's token is added to sockets and requests, in place of what the app sends", async () => {
  tap.forwardTo(daemonUrl, "word");
  await connect("/ws/sdk", { authorization: "Bearer other" });
  await fetch(`${address}/api/daemon/status`);
  expect(daemon.headers.map(({ authorization }) => authorization)).toEqual(["Bearer word", "Bearer word"]);
});

test("what a client does with sound is reported, and passes unchanged", async () => {
  const socket = await connect("/ws/audio");
  const samples = Buffer.from(encodeAudio("speaker", Int16Array.of(1, 2, 3)));
  expect((await echo(socket, samples)).data).toEqual(samples);
  await echo(socket, Buffer.from(encodeAudio("sound", Int16Array.of(1))));
  await echo(socket, '{"type": "play", "sound": "chime"}');
  await echo(socket, '{"type": "listen", "track": "microphone", "on": true}');
  await echo(socket, '{"type": "listen", "track": "microphone", "on": false}');
  await echo(socket, "no message");
  const plays = "sound null plays a sound";
  expect(seen).toEqual(["attempt null", "sound null plays samples", plays, plays, "sound null records the microphone"]);
});
