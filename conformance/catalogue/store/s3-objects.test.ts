import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { S3Objects, type S3Options } from "./s3-objects.ts";

const RESET: RequestListener = (request) => void request.socket.destroy();
const BUSY: RequestListener = (_, response) => void response.writeHead(409).end();
const HALF: RequestListener = (_, response) => {
  response.writeHead(200, { "content-length": "100" }).write("half");
  setImmediate(() => response.destroy());
};
const DONE: RequestListener = (_, response) => void response.end("text");

/** A client of a server that answers its requests one after the other; the last answer again and again. */
async function clientOf(answers: RequestListener[], options: S3Options = {}) {
  let requests = 0;
  const endpoint = await serveHttp((request, response) => {
    const answer = answers[Math.min(requests, answers.length - 1)] ?? DONE;
    requests += 1;
    answer(request, response);
  });
  const location = { endpoint, bucket: "b", prefix: "", region: "r", accessKeyId: "id", secretAccessKey: "secret" };
  return { client: new S3Objects(location, { pauseMs: 1, ...options }), requests: () => requests };
}

test.each([
  ["a lost connection", RESET],
  ["an answer that breaks off", HALF],
  ["a conflict", BUSY],
])("a request is retried after %s", async (_, answer) => {
  const { client, requests } = await clientOf([answer, answer, DONE]);
  expect(await client.get("record.json")).toBe("text");
  expect(requests()).toBe(3);
  expect(await client.put("record.json", "text", true)).toBe(true);
});

test("retries end, with the reason", async () => {
  const { client, requests } = await clientOf([RESET]);
  await expect(client.get("record.json")).rejects.toThrow(/did not read record\.json: .+/);
  expect(requests()).toBe(6);
});

test("a cancelled client sends a request once, and throws the signal's reason instead of a retry", async () => {
  const cancel = new AbortController();
  const stop: RequestListener = (request) => {
    cancel.abort(new Error("cancelled"));
    request.socket.destroy();
  };
  const { client, requests } = await clientOf([stop, DONE], { signal: cancel.signal, pauseMs: 60_000 });
  await expect(client.get("record.json")).rejects.toThrow("cancelled");
  expect(requests()).toBe(1);
  await client.delete("record.json");
  expect(requests()).toBe(2);
});
