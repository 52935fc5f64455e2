import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { parseResponse } from "../formats/parse/parse-response.ts";
import { prepareInputForWf } from "../prompt/messages.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import type { Sample } from "../sample.ts";
import { replay } from "../testing/models/replay.ts";
import type { AnswerFault } from "../testing/replay/faults.ts";
import { identifyServer } from "./identify.ts";
import { APIS, PROFILES, type ProfileName } from "./profiles.ts";
import { type ServerClientOptions, serverClient } from "./server-client.ts";
import type { CompleteOptions } from "./types.ts";

const sample: Sample = { history: [], current: { type: "code", lang: "python", code: "x = 1" }, user: "Two." };
const messages = prepareInputForWf(sample);
const prompt = renderPrompt(sample, { format: "wf" });
const edit = "```python\nx = 2  # é😀\n```";
const answer = `${edit}<|next_end|>\nIt was one.<|im_end|>`;
const request = { messages, prompt, explain: true, maxTokens: 500 };
const naps: number[] = [];

const client = (serverUrl: string, more: Partial<ServerClientOptions> = {}) =>
  serverClient({ serverUrl, model: "m", profile: "vllm", sleep: async (ms) => void naps.push(ms), ...more });
const ask = async (
  fault: AnswerFault | undefined,
  more: Partial<ServerClientOptions> = {},
  options: CompleteOptions = {},
  times = 9,
) => {
  const { url } = await replay({ [prompt]: answer }, { faultOf: (count) => (count < times ? fault : undefined) });
  return client(url, more).complete(request, options);
};

for (const api of APIS) {
  for (const stream of [true, false]) {
    test(`a whole answer comes through: ${api}, ${stream ? "streamed" : "in one piece"}`, async () => {
      const seen: string[] = [];
      const { text } = await ask(undefined, { api, stream }, { onText: (piece) => seen.push(piece) });
      expect(seen.join("")).toBe(text);
      expect(seen.length > 1).toBe(stream);
      expect(parseResponse(text, { format: "wf" })).toMatchObject({
        kind: "edit",
        edit: { lines: ["x = 2  # é😀"] },
        explanation: "It was one.",
      });
    });
  }
}

test.each(PROFILES)("without an explanation the edit is complete: %s", async (profile: ProfileName) => {
  const { url } = await replay({ [prompt]: answer });
  const { text, finished } = await client(url, { profile }).complete({ ...request, explain: false });
  const parsed = parseResponse(text, { format: "wf", finished });
  const keepsTokens = profile !== "openai";
  expect(parsed.kind).toBe(keepsTokens ? "edit" : "refused");
});

test.each(PROFILES)(
  "without an explanation a server that ignores stop strings is stopped after the edit: %s",
  async (profile) => {
    let closed: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      closed = resolve;
    });
    // A server that keeps control tokens and would continue forever.
    const url = await serveHttp((incoming, response) => {
      if (incoming.method === "GET") return void response.writeHead(404).end();
      response.setHeader("Content-Type", "text/event-stream");
      const send = (text: string) =>
        response.write(`data: ${JSON.stringify({ choices: [{ text, finish_reason: null }] })}\n\n`);
      for (const text of [edit, "<|next_end|>\n", "It was", " one."]) send(text);
      response.once("close", closed);
    });
    const { text, finished } = await client(url, { profile }).complete({ ...request, explain: false });
    expect(text).toBe(`${edit}<|next_end|>`);
    expect(parseResponse(text, { format: "wf", finished })).toMatchObject({ kind: "edit", explanation: "" });
    await left;
  },
);

test("a removed stop token counts when the server reports it", async () => {
  const url = await serveHttp((_, response) => {
    response.end(JSON.stringify({ choices: [{ text: edit, finish_reason: "stop", matched_stop: "<|next_end|>" }] }));
  });
  expect(await client(url, { stream: false }).complete(request)).toMatchObject({ text: edit, finished: true });
});

test("an answer that is cut or lacks its tokens is never complete", async () => {
  for (const fault of ["truncate", "strip-tokens"] as const) {
    const { text, finished } = await ask(fault);
    expect(finished).toBe(false);
    expect(parseResponse(text, { format: "wf", finished })).toMatchObject({ refusal: { code: "truncated" } });
  }
});

test("a request is repeated after the delay that a busy server asks for", async () => {
  naps.length = 0;
  expect((await ask("503", {}, {}, 2)).text).toBe(answer);
  expect(naps).toEqual([0, 0]);
  await expect(ask("503", { retries: 1 })).rejects.toThrow(/answered 503 for completions: Busy\./);
});

test("delays double without Retry-After", async () => {
  naps.length = 0;
  const url = await serveHttp((_, response) => void response.writeHead(429).end());
  await expect(client(url).complete(request)).rejects.toMatchObject({ code: "model-failed" });
  expect(naps).toEqual([500, 1000, 2000]);
});

test("errors have the server's message, wherever it is in the answer", async () => {
  await expect(ask("500")).rejects.toThrow(/answered 500 for completions: The engine died\./);
  await expect(ask("error-in-200")).rejects.toThrow(/The engine died\./);
  await expect(ask("error-in-200", { stream: false })).rejects.toThrow(/The engine died\./);
  expect((await ask("break-off")).text).toBe(answer);
  const page = await serveHttp((_, response) => void response.end("<html>"));
  await expect(client(page, { stream: false }).complete(request)).rejects.toThrow(/is no JSON: a web page/);
  const flat = await serveHttp(
    (_, response) => void response.writeHead(400).end('{"object":"error","message":"No such role."}'),
  );
  await expect(client(flat).complete(request)).rejects.toThrow(/answered 400 for completions: No such role\./);
});

test("an unreachable server and the robot daemon are different errors", async () => {
  await expect(client("http://127.0.0.1:1").complete(request)).rejects.toMatchObject({ code: "model-unreachable" });
  const daemon = await serveHttp((incoming, response) => {
    const status = incoming.url === "/api/daemon/status";
    response.writeHead(status ? 200 : 404, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify(status ? { robot_name: "robot" } : { code: "route-not-found", detail: "No such route" }),
    );
  });
  await expect(client(daemon).complete(request)).rejects.toThrow(/is the robot daemon, not a model server/);
});

test("every wait has a deadline and can be aborted", async () => {
  await expect(ask("hang", { timeoutMs: 50 })).rejects.toMatchObject({ code: "deadline-passed" });
  await expect(ask("slow", { timeoutMs: 120 })).rejects.toMatchObject({ code: "deadline-passed" });
  const mute = { serverUrl: await serveHttp(() => {}), timeoutMs: 50 };
  const signal = new AbortController().signal;
  await expect(identifyServer(mute, signal)).rejects.toMatchObject({ code: "deadline-passed" });
  // Headers, and then nothing.
  const halfMute = await serveHttp((_, response) => void response.writeHead(200).flushHeaders());
  await expect(identifyServer({ ...mute, serverUrl: halfMute }, signal)).rejects.toMatchObject({
    code: "deadline-passed",
  });
  const stop = new AbortController();
  const cancelled = ask("slow", {}, { signal: stop.signal, onText: () => stop.abort(new Error("Enough.")) });
  await expect(cancelled).rejects.toThrow("Enough.");
});

test("the token is in its header and in no message", async () => {
  const seen: (string | undefined)[] = [];
  const { url } = await replay(
    { [prompt]: answer },
    { onRequest: (_, headers) => void seen.push(headers.authorization) },
  );
  await client(url, { token: "s3cret" }).complete(request);
  expect(seen).toEqual(["Bearer s3cret"]);
  const url401 = await serveHttp((_, response) => void response.writeHead(401).end('{"error":"Unauthorized"}'));
  const error = await client(url401, { token: "s3cret" })
    .complete(request)
    .catch((each: Error) => each);
  expect(String(error)).toMatch(/ROBOT_MODEL_TOKEN/);
  expect(String(error)).not.toContain("s3cret");
});

test.each([
  ["application/json", true, "x", /line of more than 4 million characters/],
  ["text/event-stream", true, "data: x", /line of more than 4 million characters/],
  ["text/event-stream", true, ": nothing\n\n", /has more than 32 MB/],
  ["application/json", false, " ", /has more than 32 MB/],
])("an answer without end is cut off: %s, streamed: %s, of %j", async (type, stream, piece, message) => {
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { "content-type": type });
    const chunk = piece.repeat(100_000);
    const more = (): void => {
      while (!response.closed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  });
  await expect(client(url, { stream }).complete(request)).rejects.toMatchObject({
    code: "model-failed",
    message: expect.stringMatching(message),
  });
});
