import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { closeAll, closers, open, startDaemonWithPage } from "../testing/app-page-daemon.ts";

afterEach(closeAll);

/** An app that sends the bytes to who connects, and keeps what it gets. */
async function openBytes(answer: string, onData = (_text: string, _socket: Socket): void => {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    socket.on("data", (data) => {
      if (answer !== "") socket.write(answer);
      onData(data.toString("latin1"), socket);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as { port: number }).port, sockets };
}

/** Sends bytes to a page. @returns what it answers until it closes the connection */
async function send(page: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(page).port), "127.0.0.1");
  closers.push(() => socket.destroy());
  let answer = "";
  socket.on("data", (data) => {
    answer += data.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(text);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

const HEAD = "host: 127.0.0.1\r\nconnection: close\r\n";

test.each([
  ["a status that HTTP does not have", "HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n"],
  ["another protocol that nobody asked for", "HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
  ["no HTTP", "hello\r\n\r\n"],
  ["a head without an end", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}`],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
])("an app that answers with %s is answered for", async (_, answer) => {
  const { port } = await openBytes(answer);
  expect((await fetch(await (await startDaemonWithPage(port)).pageUrl())).status).toBe(502);
});

test.each(["GET", "DELETE", "POST"])(
  "the body of a %s in chunks never becomes a request of its own",
  async (method) => {
    const seen: string[] = [];
    const app = await open((request, response) => {
      let body = "";
      request.on("data", (data) => {
        body += data;
      });
      request.on("end", () => {
        seen.push(`${request.method} ${request.url} ${body}`);
        response.end("ok");
      });
    });
    const page = await (await startDaemonWithPage(app.port)).pageUrl();
    const hidden = "GET /hidden HTTP/1.1\r\nhost: a\r\n\r\n";
    const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    expect(await send(page, `${method} /a HTTP/1.1\r\n${HEAD}transfer-encoding: chunked\r\n\r\n${chunk}`)).toContain(
      "ok",
    );
    expect(seen).toEqual([`${method} /a ${hidden}`]);
  },
);

test("a request that waits for its page never reaches the app that takes the slot and the port meanwhile", async () => {
  const { port } = await open(() => {});
  closers.pop()?.();
  const { slot, pageUrl } = await startDaemonWithPage(port);
  const page = await pageUrl();
  const [own, other] = ["my_app", "other"].map((name) => ({ ...slot.status, info: { ...slot.status.info, name } }));
  let attempts = 0;
  Object.defineProperty(slot, "status", {
    get: () => {
      attempts += 1;
      return attempts === 1 ? own : other;
    },
  });
  const answer = fetch(page);
  await waitFor(DEADLINE_MS, "the page is asked again", () => attempts === 2);
  let reached = 0;
  await open((_request, response) => {
    reached += 1;
    response.end();
  }, port);
  expect([(await answer).status, reached]).toEqual([502, 0]);
});

test("an app whose page is said to be at a page's own port has none, instead of requests to itself without end", async () => {
  const { slot, pageUrl, enter } = await startDaemonWithPage((await open((_, response) => void response.end())).port);
  const page = await pageUrl();
  slot.status.info.extra.custom_app_url = page;
  for (const answer of [await fetch(page), await enter("/apps/my_app/page/")])
    expect(((await answer.json()) as { detail: string }).detail).toContain("the daemon's own");
});

test.each([
  ["never", ""],
  ["with a part of what it announces", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart"],
])("an app that answers %s is waited for a while only", async (_, answer) => {
  const app = await openBytes(answer);
  const page = await (await startDaemonWithPage(app.port, null, 3000)).pageUrl();
  const answered = await send(page, `GET / HTTP/1.1\r\n${HEAD}\r\n`);
  expect(answered).toContain(answer === "" ? "502" : "part");
  await waitFor(DEADLINE_MS, "the app's connection is closed", () => app.sockets.size === 0);
});

test("a client that does not read an answer without end is waited for a while only", async () => {
  const app = await openBytes("", (_, socket) => {
    const more = () => {
      while (socket.write(Buffer.alloc(65_536)));
    };
    socket.on("drain", more).write("HTTP/1.1 200 OK\r\n\r\n");
    more();
  });
  const page = await (await startDaemonWithPage(app.port, null, 500)).pageUrl();
  const socket = connect(Number(new URL(page).port), "127.0.0.1").on("error", () => {});
  closers.push(() => socket.destroy());
  socket.pause().write(`GET / HTTP/1.1\r\n${HEAD}\r\n`);
  await waitFor(DEADLINE_MS, "the app answers", () => app.sockets.size === 1);
  await waitFor(DEADLINE_MS, "the app's connection is closed", () => app.sockets.size === 0);
});

test.each(["text/event-stream", "multipart/x-mixed-replace; boundary=a"])(
  "a stream of %s may pause for any time, and ends with its client",
  async (type) => {
    const app = await openBytes(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n\r\none`);
    const page = await (await startDaemonWithPage(app.port, null, 3000)).pageUrl();
    const client = new AbortController();
    const { body } = await fetch(page, { signal: client.signal });
    const reader = body?.getReader();
    await reader?.read();
    const later = reader?.read().then(({ value }) => String.fromCharCode(...(value ?? [])));
    await new Promise((resolve) => setTimeout(resolve, 4000));
    for (const socket of app.sockets) socket.write("two");
    expect(await later).toBe("two");
    client.abort();
    await waitFor(DEADLINE_MS, "the app's connection is closed", () => app.sockets.size === 0);
  },
);

test("the pages' ports take new connections in place of idle ones, and of those that hang in the app", async () => {
  const hanging = await open((request, response) => {
    if (request.url === "/here") response.end("here");
  });
  const page = await (await startDaemonWithPage(hanging.port)).pageUrl();
  const opened = Array.from({ length: 400 }, () => connect(Number(new URL(page).port), "127.0.0.1"));
  closers.push(() => {
    for (const socket of opened) socket.destroy();
  });
  for (const [at, socket] of opened.entries()) {
    socket.on("error", () => {}).resume();
    if (at % 3 > 0) socket.write(`GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  }
  await waitFor(
    DEADLINE_MS,
    "those beyond 224 are closed",
    () => opened.filter(({ destroyed }) => destroyed).length === 176,
  );
  expect(await (await fetch(`${page}/here`)).text()).toBe("here");
});

test("a request for HTTP/2 is answered by HTTP/1.1, and not as a WebSocket", async () => {
  const app = await open(({ headers }, response) => void response.end(`upgrade: ${headers.upgrade}`));
  const page = await (await startDaemonWithPage(app.port)).pageUrl();
  const head =
    "host: 127.0.0.1\r\nconnection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAA\r\n";
  expect(await send(page, `GET / HTTP/1.1\r\n${head}\r\n`)).toContain("upgrade: undefined");
});
