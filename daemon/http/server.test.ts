import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../../robot/wire/errors.ts";
import type { OpenApi } from "./rest/openapi.ts";
import { readEvents } from "./testing/read-events.ts";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon(["obedient"]);
});
afterAll(() => daemon.close());

const json = { "content-type": "application/json" };

/** Sends bytes as they are; resolves with the first bytes of the answer. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(daemon.url).port), "127.0.0.1", () => socket.write(text));
    socket.once("data", (data) => {
      resolve(String(data));
      socket.resetAndDestroy();
    });
    socket.once("error", reject);
  });

describe("a bad request is answered with a problem", () => {
  test.each([
    ["invalid JSON", "{", json, 422, "bad-request", "The body is not JSON"],
    [
      "another content type",
      "url=x",
      { "content-type": "application/x-www-form-urlencoded" },
      422,
      "bad-request",
      "application/json",
    ],
    ["compressed", "{}", { ...json, "content-encoding": "gzip" }, 422, "bad-request", "cannot be read"],
    [
      "another charset",
      "{}",
      { "content-type": "application/json; charset=latin1" },
      422,
      "bad-request",
      "cannot be read",
    ],
    ["too large", `"${"x".repeat(64_001)}"`, json, 413, "body-too-large", "larger than 64 KB"],
    ["a wrong field", '{"startup_app": 5}', json, 422, "bad-request", "body.startup_app is 5; it must be a text"],
    ["not an object", "[]", json, 422, "bad-request", "body is []; it must be an object."],
    ["deep nesting", "[".repeat(31_000) + "]".repeat(31_000), json, 422, "bad-request", "body is [[[…]]];"],
  ])("%s", async (_, body, headers, status, code, detail) => {
    const answer = await daemon.request("/api/apps/startup-app", { method: "PUT", headers, body });
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(JSON.parse(answer.text)).toEqual({
      type: `/errors/${code}`,
      title: ERRORS[code as keyof typeof ERRORS].title,
      status,
      detail: expect.stringContaining(detail),
      code,
    });
    expect(answer.status).toBe(status);
  });

  test.each([
    "//evil.example/x",
    "/%",
    "/api/apps/logs/%",
    "/..%2f..%2fpackage.json",
    "/%00",
    "/api/apps/logs/..%2f..%2frunning-app",
  ])("the path %s", async (path) => {
    const { status, text } = await daemon.request(path);
    expect([404, 422]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ status });
  });
});

test.each([
  ["announced and not sent", "content-length: 100000\r\n\r\n"],
  ["in chunks without end", `transfer-encoding: chunked\r\n\r\n${`fa00\r\n${"1".repeat(64_000)}\r\n`.repeat(2)}`],
])("a body that is too large, %s, is refused immediately, and the connection closed", async (_, rest) => {
  const { hostname, port } = new URL(daemon.url);
  const socket = connect(Number(port), hostname);
  socket.write(`PUT /api/apps/startup-app HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${rest}`);
  const answer = (await socket.setEncoding("utf8").toArray()).join("");
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close.*"code":"body-too-large"\}$/is);
  expect(daemon.output()).not.toContain("a route failed");
});

describe("a request to a wrong route names the right one", () => {
  test.each([
    ["GET", "/api/apps/start-app/obedient", "POST", "POST /api/apps/start-app/{name}"],
    ["PATCH", "/api/apps/startup-app", "GET, HEAD, PUT", "PUT /api/apps/startup-app"],
    ["POST", "/api/daemon/status", "GET, HEAD", "GET /api/daemon/status"],
  ])("%s %s is answered with the allowed methods", async (method, path, allow, named) => {
    const { status, headers, text } = await daemon.request(path, { method });
    expect([status, headers.allow]).toEqual([405, allow]);
    expect(JSON.parse(text)).toMatchObject({ code: "method-not-allowed", detail: expect.stringContaining(named) });
  });

  test.each([
    ["/api/app/list", "Did you mean GET /api/apps/list?"],
    ["/api/apps/start_app/obedient", "Did you mean POST /api/apps/start-app/{name}?"],
    ["/api/apps/start-app/", "Did you mean POST /api/apps/start-app/{name}?", "POST"],
    ["/ws/sdk", "WebSocket"],
    ["/wholly/elsewhere/and/long", "GET /docs lists all routes."],
  ])("%s is not a route", async (path, hint, method = "GET") => {
    const { status, text } = await daemon.request(path, { method });
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: "route-not-found", detail: expect.stringContaining(hint) });
  });
});

test("a long address is refused without comparing it with the routes", async () => {
  for (const path of [`${"/".repeat(15_000)}x`, `/${"a".repeat(15_000)}`]) {
    const { status, text } = await daemon.request(path);
    expect(status).toBe(404);
    expect(text.length).toBeLessThan(400);
  }
});

test("two Host headers are refused, because a proxy may have checked the other one", async () => {
  const answer = await sendRaw(
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain("malformed-request");
  const upgrade =
    "GET /ws/sdk HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  expect(await sendRaw(upgrade)).toMatch(/^HTTP\/1\.1 400 /);
});

test("every response forbids framing, sniffing and embedding by other sites", async () => {
  for (const path of ["/", "/api/daemon/status", "/nowhere"]) {
    const { headers } = await daemon.request(path);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    });
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(headers).not.toHaveProperty("x-powered-by");
  }
});

describe("the documentation", () => {
  test("has every route, as an OpenAPI document and as a page", async () => {
    const document = await daemon.json<OpenApi>("/openapi.json");
    const { text: page } = await daemon.request("/docs");
    for (const path of [
      "/api/apps/start-app/{name}",
      "/api/events",
      "/metrics",
      "/openapi.json",
      "/docs",
      "/errors/{code}",
    ])
      expect(document.paths).toHaveProperty([path]);
    for (const path of Object.keys(document.paths)) expect(page).toContain(`<code>${path}</code>`);
    expect(page).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
  });

  test("has a page for each error code, as HTML and as JSON", async () => {
    for (const code of Object.keys(ERRORS)) {
      const asked = await daemon.json<{ code: string; explanation: string }>(`/errors/${code}`);
      expect(asked.code).toBe(code);
      expect(asked.explanation.length).toBeGreaterThan(20);
    }
    const { text, headers } = await daemon.request("/errors/motors-off", {
      headers: { accept: "text/html,*/*;q=0.8" },
    });
    expect(headers["content-type"]).toContain("text/html");
    expect(text).toContain("<h1>The motors are off</h1>");
    expect((await daemon.request("/errors/constructor")).status).toBe(404);
  });
});

describe("a running app", () => {
  test("appears in the events, the followed log and the metrics", async () => {
    const events = await readEvents(`${daemon.url}/api/events`);
    await daemon.json("/api/apps/start-app/obedient", "POST");
    await events.first(({ name, data }) => name === "log" && data.text === "running");
    const log = await readEvents(`${daemon.url}/api/apps/logs/OBEDIENT?follow=true&lines=5`);
    await daemon.json("/api/apps/stop-current-app", "POST");
    await events.first(({ name, data }) => name === "slot" && data.state === "done");
    await log.first(({ data }) => data.text === "stopped");
    events.close();
    log.close();

    const states = events.received.filter(({ name }) => name === "slot").map(({ data }) => data.state);
    // Without the SDK, the app also counts as running when it has been there for three seconds, as on a busy machine.
    const changes = states.filter((state, i) => state !== states[i - 1] && state !== "running");
    expect(changes).toEqual(["starting", "stopping", "done"]);
    const printed = log.received.filter(({ data }) => data.from === "stdout").map(({ data }) => data.text);
    expect(printed).toEqual(["running", "stopped"]);

    const { text } = await daemon.request("/metrics");
    for (const line of [
      'robot_slot_state{state="done"} 1',
      'robot_app_starts_total{app="obedient"} 1',
      'robot_app_ends_total{app="obedient",outcome="done"} 1',
      'http_requests_total{method="POST",route="/api/apps/start-app/:name",status="200"} 1',
    ])
      expect(text).toContain(`${line}\n`);
    expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(1e6);
  });

  test("does not keep a HEAD request open", async () => {
    expect(await daemon.request("/api/events", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });
});

test("an upgrade at a wrong path, and a connection that is reset, leave the daemon running", async () => {
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
  expect(await sendRaw(upgrade("/ws/nowhere"))).toContain("HTTP/1.1 404");
  expect(await sendRaw(upgrade("//"))).toContain("HTTP/1.1 404");
  expect(await sendRaw(upgrade("/ws/sdk").replace("localhost", "evil.example"))).toContain("HTTP/1.1 421");
  expect(await sendRaw(upgrade("/ws/sdk"))).toContain("HTTP/1.1 101");
  expect(await daemon.json("/healthz")).toEqual({ status: "ok" });
});

describe("a request that offers another protocol is answered as if it did not", () => {
  const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";

  test("with or without a body, again and again on one connection", async () => {
    const socket = connect(Number(new URL(daemon.url).port), "127.0.0.1");
    const answers = new Promise<string>((resolve, reject) => {
      let text = "";
      socket.on("data", (data) => {
        text += data;
      });
      socket.once("close", () => resolve(text)).once("error", reject);
    });
    const body = '{"startup_app":5}';
    const put = `PUT /api/apps/startup-app HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${offer}\r\n${body}`;
    const get = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${offer}\r\n`;
    for (const text of [get, put, get]) {
      const answered = new Promise((resolve) => void socket.once("data", resolve));
      socket.write(text);
      await answered;
    }
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect((await answers).match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(["200", "422", "200", "200"]);
  });

  test("and is checked as all others are", async () => {
    const answer = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: evil.example\r\n${offer}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
  });
});
