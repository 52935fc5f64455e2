import fc from "fast-check";
import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { identifyServer } from "./identify.ts";
import { serverClient } from "./server-client.ts";
import { ServerError } from "./server-error.ts";

const request = { messages: [], prompt: "p", explain: true, maxTokens: 100, plain: true } as const;
const WHY = "The engine died of thirst.";

/** Error objects as servers write them. */
const errors = fc.constantFrom<unknown>(
  WHY,
  { message: WHY },
  { message: WHY, type: "server_error", param: null, code: 500 },
  { error: { message: WHY } },
  [{ message: WHY }],
  { detail: WHY },
  { code: "E1", msg: WHY },
  { reason: WHY },
);

/** Where a server puts an error, beside some text of an answer. */
const places: Readonly<Record<string, (error: unknown, text: string) => unknown>> = {
  alone: (error) => ({ error }),
  "in a list": (error) => [{ error }],
  "beside choices": (error, text) => ({ choices: [{ message: { content: text }, finish_reason: "stop" }], error }),
  "beside no choices": (error) => ({ choices: [], error }),
  "beside null": (error) => ({ choices: null, error }),
  "in a choice": (error, text) => ({ choices: [{ message: { content: text }, finish_reason: "stop", error }] }),
  "in a message": (error, text) => ({ choices: [{ message: { content: text, error }, finish_reason: "stop" }] }),
  "in a delta": (error, text) => ({ choices: [{ delta: { content: text, error } }] }),
};

test("an error is one wherever it is in an answer, streamed or not, with its message", async () => {
  await fc.assert(
    fc.asyncProperty(
      errors,
      fc.constantFrom(...Object.keys(places)),
      fc.constantFrom("", "```\nx = 2\n```<|next_end|>"),
      fc.boolean(),
      fc.constantFrom("application/json", "text/event-stream", "text/html"),
      async (error, place, text, isStream, type) => {
        const body = JSON.stringify(places[place]?.(error, text));
        const url = await serveHttp((_, response) => {
          response.setHeader("content-type", type);
          response.end(isStream ? `data: ${body}\n\ndata: [DONE]\n\n` : body);
        });
        await expect(serverClient({ serverUrl: url, model: "m" }).complete(request)).rejects.toMatchObject({
          code: "model-failed",
          message: expect.stringContaining(WHY),
        });
      },
    ),
    { numRuns: 100 },
  );
});

test.each([null, "", {}, [], false])("an error of %j is none", async (error) => {
  const choices = [{ message: { content: "yes" }, finish_reason: "stop", error }];
  const url = await serveHttp((_, response) => void response.end(JSON.stringify({ choices, error })));
  expect((await serverClient({ serverUrl: url, model: "m" }).complete(request)).text).toBe("yes");
});

test.each([
  ["content_filter", /its content filter ended the answer \(finish_reason content_filter\)/],
  ["SAFETY", /its content filter/],
  ["error", /it ended the answer itself \(finish_reason error\)/],
  ["insufficient_system_resource", /it ended the answer itself/],
])("an answer that ends by %s is not used, with a complete edit in it or without", async (finish_reason, why) => {
  for (const content of ["", "```\nx = 2\n```<|next_end|>"]) {
    const body = JSON.stringify({ choices: [{ message: { content }, finish_reason }] });
    for (const sent of [body, `data: ${body}\n\n`]) {
      const url = await serveHttp((_, response) => void response.end(sent));
      await expect(serverClient({ serverUrl: url, model: "m" }).complete(request)).rejects.toThrow(why);
    }
  }
});

test.each(["length", "max_tokens", "MODEL_LENGTH"])("an answer that ends by %s is cut", async (finish_reason) => {
  const body = JSON.stringify({ choices: [{ message: { content: "so far" }, finish_reason }] });
  const url = await serveHttp((_, response) => void response.end(body));
  expect(await serverClient({ serverUrl: url, model: "m" }).complete(request)).toMatchObject({ reason: "length" });
});

test.each([
  ["<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>", /the web page "502 Bad Gateway"/],
  ["<html><body><h1>Sign in</h1><script>x()</script></body></html>", /the web page "Sign in"/],
  ["Service starting, please wait", /Service starting/],
])("a page in place of an answer is said with its title: %s", async (page, why) => {
  for (const [status, stream] of [200, 200, 502].flatMap((each) => [[each, true] as const, [each, false] as const])) {
    const url = await serveHttp(
      (_, response) => void response.writeHead(status, { "content-type": "text/html" }).end(page),
    );
    await expect(serverClient({ serverUrl: url, model: "m", stream }).complete(request)).rejects.toThrow(why);
  }
});

test("a request that is refused for a wrong token is not repeated", async () => {
  let count = 0;
  const url = await serveHttp((incoming, response) => {
    if (incoming.method === "POST") count += 1;
    response.writeHead(401, { "retry-after": "0" }).end('{"error": {"message": "Incorrect API key"}}');
  });
  await expect(serverClient({ serverUrl: url, model: "m" }).complete(request)).rejects.toThrow(/Incorrect API key/);
  expect(count).toBe(1);
});

test.each([
  ["3600", "1 hour"],
  ["90", "1.5 minutes"],
  ["172800", "2 days"],
  ["9999999", "115.7 days"],
  ["date", "30 minutes"],
])("a wait of %s is said in words, and waited for only when a person agrees", async (header, words) => {
  const naps: number[] = [];
  const asked: string[] = [];
  const url = await serveHttp((_, response) => {
    if (naps.length > 0) return response.end('{"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}');
    const at = new Date("2026-01-01T00:00:00Z");
    response.setHeader("date", at.toUTCString());
    const value = header === "date" ? new Date(at.getTime() + 1_800_000).toUTCString() : header;
    return response.writeHead(429, { "retry-after": value }).end('{"error": {"message": "Quota."}}');
  });
  const options = { serverUrl: url, model: "m", sleep: async (ms: number) => void naps.push(ms) };
  const refused = expect.objectContaining({
    message: expect.stringContaining(`Quota. It asks to wait ${words}: ask again then.`),
  });
  await expect(serverClient(options).complete(request)).rejects.toEqual(refused);
  expect(naps).toEqual([]);
  const confirmWait = async (duration: string) => asked.push(duration) > 0;
  const agreed = serverClient({ ...options, confirmWait }).complete(request);
  // Longer than a timer has.
  if (header === "9999999") return expect(agreed).rejects.toEqual(refused);
  expect((await agreed).text).toBe("yes");
  return expect({ naps, asked }).toEqual({ naps: [expect.any(Number)], asked: [words] });
});

test("a list of models that is not there is one without models", async () => {
  const url = await serveHttp((_, response) => void response.writeHead(404).end("Not Found"));
  const { signal } = new AbortController();
  expect(await identifyServer({ serverUrl: url }, signal)).toEqual({ profile: "openai", models: [] });
});

test.each([
  [400, "This model's maximum context length is 4096 tokens.", true],
  [400, "Prompt is too long: 5000 tokens > 4096 maximum", true],
  [422, "`inputs` must have less than 4095 tokens. Given: 5000. Input validation error: exceeded", true],
  [413, "Nope", true],
  [500, "the request exceeds the available context size, try increasing it", true],
  [400, "Requested tokens (5000) exceed context window of 4096", true],
  [400, "输入长度超出模型限制", true],
  [400, "Zu lang.", true],
  [400, "Unsupported parameter: 'max_tokens' is not supported with this model.", false],
  [400, "Unknown role: current", false],
  [429, "Rate limit reached for tokens per minute: limit 20000", false],
  [401, "Your token exceeds its limit", false],
  [500, "The engine died.", false],
] as const)("a refusal %d %j of a long prompt: context overflow %s", async (status, message, isOverflow) => {
  const prompt = isOverflow ? "x".repeat(20_000) : "x";
  const url = await serveHttp((incoming, response) => {
    if (incoming.method === "GET")
      return response.end(
        JSON.stringify({
          data: [
            { id: "m", max_model_len: 4096 },
            { id: "other", max_model_len: 1 },
          ],
        }),
      );
    return response.writeHead(status).end(JSON.stringify({ error: { message } }));
  });
  const client = serverClient({ serverUrl: url, model: "m", retries: 0 });
  const error = await client.complete({ ...request, plain: undefined as never, prompt }).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ServerError);
  expect((error as ServerError).isContextOverflow).toBe(isOverflow);
});
