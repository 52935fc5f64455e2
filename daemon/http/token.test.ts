import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

const TOKEN = "a-token-of-the-test";
const bearer = { authorization: `Bearer ${TOKEN}` };
const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon([], { token: TOKEN });
});
afterAll(() => daemon.close());

test("without the token nothing is to be had, and the answer says how to send it", async () => {
  for (const path of [
    "/",
    "/api/apps/list",
    "/api/events",
    "/metrics",
    "/docs",
    "/nowhere",
    `/api/apps/list?token=${TOKEN}`,
  ]) {
    const { status, headers, text } = await daemon.ask(path);
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe("Bearer");
    expect(JSON.parse(text)).toMatchObject({ code: "token-required" });
    expect(text).not.toContain(TOKEN);
  }
  expect((await daemon.ask("/api/apps/list", { headers: bearer })).text).toBe("[]");
});

test("a browser is asked for it, and the link leaves it in a cookie that scripts and other sites cannot use", async () => {
  const asked = await daemon.ask("/", { headers: browser });
  expect(asked.status).toBe(401);
  expect(asked.text).toContain('<input name="token"');
  expect((await daemon.ask("/?token=wrong", { headers: browser })).headers).not.toHaveProperty("set-cookie");

  const signedIn = await daemon.ask(`/?token=${TOKEN}`, { headers: browser });
  const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
  expect(cookie).toMatch(/^robot_token=.*; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
  expect(signedIn.headers).toMatchObject({ refresh: "0; url=/", "cache-control": "no-store" });
  expect(signedIn.text).not.toContain(TOKEN);

  const withCookie = { ...browser, cookie: cookie.split(";")[0] ?? "" };
  expect((await daemon.ask("/", { headers: withCookie })).text).toContain('<div id="dashboard">');
});

test("the sockets ask for it as well", async () => {
  for (const path of ["/ws/sdk", "/ws/state", "/ws/audio", "/ws/scene"]) {
    const address = daemon.url.replace("http", "ws") + path;
    const [error] = await once(new WebSocket(address), "error");
    expect(error.message).toContain("401");
    const socket = new WebSocket(address, { headers: bearer });
    await once(socket, "open");
    socket.close();
    await once(socket, "close");
  }
});

test("the daemon's log never shows it", () => {
  expect(daemon.output()).not.toContain(TOKEN);
});
