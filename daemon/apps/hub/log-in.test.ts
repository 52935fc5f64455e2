import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HubClient } from "./hub-client.ts";

const never = new AbortController().signal;
let server: Server;
let hub: HubClient;
let sent: (string | undefined)[];

beforeEach(async () => {
  sent = [];
  server = createServer(({ headers, url }, response) => {
    sent.push(headers.authorization);
    const known = headers.authorization === "Bearer hf_known" && url === "/api/whoami-v2";
    const user = { type: "user", id: "1", name: "somebody", auth: { type: "access_token" } };
    response.writeHead(known ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(known ? user : { error: "Invalid credentials" }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  hub = new HubClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "hf_before" });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test("a token that the hub knows is used from then on, until the user logs out", async () => {
  expect([hub.hasToken, hub.user]).toEqual([true, null]);
  expect(await hub.logIn("hf_known", never)).toBe("somebody");
  expect(hub.user).toBe("somebody");
  await expect(hub.space("a/b", never)).rejects.toMatchObject({ code: "hub-token" });
  hub.logOut();
  await expect(hub.space("a/b", never)).rejects.toMatchObject({ code: "space-not-found" });
  expect(sent).toEqual(["Bearer hf_known", "Bearer hf_known", undefined]);
  expect([hub.hasToken, hub.user]).toEqual([false, null]);
});

test.each(["hf_unknown", "not a token"])("the token %j is refused, and the one before stays", async (token) => {
  await expect(hub.logIn(token, never)).rejects.toMatchObject({
    code: "hub-token",
    message: expect.not.stringContaining(token),
  });
  await expect(hub.space("a/b", never)).rejects.toThrow();
  expect(sent.at(-1)).toBe("Bearer hf_before");
});

test("a token that has expired is named, also where apps are listed", async () => {
  const expired = { code: "hub-token", message: expect.stringContaining("it may have expired") };
  await expect(hub.space("a/b", never)).rejects.toMatchObject(expired);
  await expect(hub.spacesWith("robot_python_app", never).next()).rejects.toMatchObject(expired);
});

test("a hub that has had too many requests says nothing about the token", async () => {
  server.removeAllListeners("request");
  server.on("request", (_, response) => response.writeHead(429).end("{}"));
  await expect(hub.logIn("hf_known", never)).rejects.toMatchObject({ code: "hub-unreachable" });
});

test("a hub that does not answer is no fault of the token", async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await expect(hub.logIn("hf_known", never)).rejects.toMatchObject({ code: "hub-unreachable" });
});
