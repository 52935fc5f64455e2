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

test("every route is refused without the token, and the answer says how to send it", async () => {
  for (const path of [
    "/",
    "/api/apps/list",
    "/api/events",
    "/metrics",
    "/docs",
    "/nowhere",
    `/api/apps/list?token=${TOKEN}`,
  ]) {
    const { status, headers, text } = await daemon.request(path);
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe("Bearer");
    expect(JSON.parse(text)).toMatchObject({ code: "token-required" });
    expect(text).not.toContain(TOKEN);
  }
  expect((await daemon.request("/api/apps/list", { headers: bearer })).text).toBe("[]");
});

test("a browser gets a form, and the link sets a cookie that scripts and other sites cannot use", async () => {
  const form = await daemon.request("/", { headers: browser });
  expect(form.status).toBe(401);
  expect(form.text).toContain('<input name="token"');
  expect((await daemon.request("/?token=wrong", { headers: browser })).headers).not.toHaveProperty("set-cookie");

  const signedIn = await daemon.request(`/?token=${TOKEN}`, { headers: browser });
  const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
  expect(cookie).toMatch(/^robot_token=.*; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
  expect(signedIn.headers).toMatchObject({ refresh: "0; url=/", "cache-control": "no-store" });
  expect(signedIn.text).not.toContain(TOKEN);

  const withCookie = { ...browser, cookie: cookie.split(";")[0] ?? "" };
  expect((await daemon.request("/", { headers: withCookie })).text).toContain('<div id="dashboard">');
  const withAnother = { ...browser, cookie: `robot_token=set-by-another-port; ${withCookie.cookie}` };
  expect((await daemon.request("/", { headers: withAnother })).status).toBe(200);
});

test("the WebSockets require the token, too", async () => {
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

test("the daemon's log never contains the token", () => {
  expect(daemon.output()).not.toContain(TOKEN);
});
