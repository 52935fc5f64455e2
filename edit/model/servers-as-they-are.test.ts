import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { parseResponse } from "../formats/parse/parse-response.ts";
import { identifyServer } from "./identify.ts";
import { serverClient } from "./server-client.ts";

const EDIT = "```python\nx = 2\n```";
const request = { messages: [], prompt: "p", explain: true, maxTokens: 100 };
const stop = { finish_reason: "stop" };

/** The completion of a server that gives one answer, and knows the number of the closing token. */
async function complete(body: string, type: string, explain = true) {
  const url = await serveHttp((req, response) => {
    response.setHeader("Content-Type", req.url === "/tokenize" ? "application/json" : type);
    response.end(req.url === "/tokenize" ? JSON.stringify({ tokens: [7] }) : body);
  });
  return serverClient({ serverUrl: url, model: "m", profile: "vllm" }).complete({ ...request, explain });
}
const sse = (...chunks: unknown[]) =>
  [...chunks.map((each) => JSON.stringify(each)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");

test("an owner of models whose name is a property of every object", async () => {
  const serverUrl = await serveHttp((_, response) => {
    response.end(JSON.stringify({ data: [{ id: "m", owned_by: "constructor" }] }));
  });
  expect(await identifyServer({ serverUrl }, new AbortController().signal)).toEqual({
    profile: "openai",
    models: ["m"],
  });
});

test("one JSON object instead of a stream", async () => {
  const body = JSON.stringify({ choices: [{ text: `${EDIT}<|next_end|>`, ...stop }] }, null, 2);
  expect((await complete(body, "application/json")).text).toBe(`${EDIT}<|next_end|>`);
});

test("events as plain text, chunks without choices, content in parts", async () => {
  const parts = [
    { type: "text", text: EDIT },
    { type: "text", text: "<|next_end|>" },
  ];
  const body = sse(
    { usage: {} },
    { choices: [{ delta: { content: parts } }] },
    { choices: null },
    { choices: [{ delta: {}, ...stop }] },
  );
  expect((await complete(body, "text/plain")).text).toBe(`${EDIT}<|next_end|>`);
});

test.each([
  [{ delta: { tool_calls: [{ function: { name: "edit_file" } }] } }, /tool edit_file/],
  [{ delta: { refusal: "I cannot." } }, /refuses to answer: I cannot/],
])("no text but %j", async (choice, message) => {
  await expect(complete(sse({ choices: [choice] }), "text/event-stream")).rejects.toThrow(message);
});

test.each([
  [7, true],
  [8, false],
])("a stop at the token %d", async (number, finished) => {
  const body = sse({ choices: [{ text: EDIT, ...stop, stop_reason: number }] });
  expect(await complete(body, "text/event-stream", false)).toEqual({ text: EDIT, finished, reason: "stop" });
});

test("a page or an empty object is no answer", async () => {
  await expect(complete("{}", "application/json")).rejects.toThrow(/without a choice/);
  await expect(complete("<html>", "text/html")).rejects.toThrow(/is no JSON: a web page/);
});

test("reasoning before an edit is left out", () => {
  const outcome = (text: string) => parseResponse(text, { format: "wf", current: "x = 1" });
  for (const reasoning of ["<think>\nWhy ```x```?\n</think>\n\n", "It is one.\n</think>\n"]) {
    expect(outcome(`${reasoning}${EDIT}<|next_end|>`)).toMatchObject({ kind: "edit", edit: { lines: ["x = 2"] } });
  }
  expect(outcome("<think>Is it <|next_end|>")).toMatchObject({ refusal: { code: "truncated" } });
  const code = "```python\nx = '</think>'\n```<|next_end|>";
  expect(outcome(code)).toMatchObject({ kind: "edit", edit: { lines: ["x = '</think>'"] } });
});
