import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { serveHttp, unusedAddress } from "../../common/testing/http-server.ts";
import { DaemonClient } from "./daemon-client.ts";

const answering = (status: number, body: string): RequestListener => {
  return (_, response) => void response.writeHead(status).end(body);
};

test.each([
  [
    "a code and a reason",
    409,
    '{"code":"app-busy","detail":"It is being updated."}',
    "app-busy",
    "It is being updated.",
  ],
  ["a code that this version does not know", 409, '{"code":"from-later","detail":"No."}', "daemon-unreachable", "No."],
  ["a page", 404, "<h1>Not here</h1>", "daemon-unreachable", "GET /api/x was answered with 404; is it a robot-daemon?"],
  ["a page, successfully", 200, "<h1>Hello</h1>", "daemon-unreachable", "is it a robot-daemon?"],
])("a refusal with %s", async (_, status, body, code, message) => {
  const client = new DaemonClient({ url: await serveHttp(answering(status, body)), token: "" });
  await expect(client.request("GET", "/api/x")).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

test("an answer may be empty", async () => {
  const client = new DaemonClient({ url: await serveHttp(answering(200, "")), token: "" });
  expect(await client.request("POST", "/api/x")).toBeNull();
});

test("a request has the token, and JSON when it has a body", async () => {
  const url = await serveHttp(({ method, headers }, response) => {
    response.end(JSON.stringify([method, headers.authorization, headers["content-type"]]));
  });
  const client = new DaemonClient({ url: `${url}/`, token: "secret" });
  expect(await client.request("GET", "/api/x")).toEqual(["GET", "Bearer secret", null]);
  expect(await client.request("POST", "/api/x", {})).toEqual(["POST", "Bearer secret", "application/json"]);
});

test("a daemon that is not there, or does not answer in time, is named with the next step", async () => {
  const url = await unusedAddress();
  const gone = new DaemonClient({ url, token: "" });
  await expect(gone.request("GET", "/")).rejects.toMatchObject({
    code: "daemon-unreachable",
    message: `The robot-daemon at ${url} does not answer (ECONNREFUSED): start one with robot-daemon --sim, or name another with --url.`,
  });
  const silent = new DaemonClient({ url: await serveHttp(() => {}), token: "", answerMs: 50 });
  const late = expect.stringMatching(/\(no answer within 0\.05 s\): try again\.$/);
  await expect(silent.request("GET", "/")).rejects.toMatchObject({ code: "daemon-unreachable", message: late });
  await expect(silent.openEvents("/", () => {})).rejects.toMatchObject({ message: late });
});

test("the reason of a signal goes before everything else", async () => {
  const reason = new Error("changed my mind");
  const silent = await serveHttp(() => {});
  const all = new DaemonClient({ url: silent, token: "", signal: AbortSignal.abort(reason) });
  await expect(all.request("GET", "/")).rejects.toBe(reason);
  const one = new DaemonClient({ url: silent, token: "" });
  await expect(one.request("GET", "/", undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
});
