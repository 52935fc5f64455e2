import fc from "fast-check";
import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { serverClient } from "./server-client.ts";

const EDIT = "```python\nx = 2  # é😀\n```<|next_end|>\nTwo.";
const request = { messages: [], prompt: "p", explain: true, maxTokens: 100 };

/** How a server ends its stream. */
interface End {
  finishReason: "stop" | "with the last text" | "none";
  done: boolean;
  /** After `[DONE]`, or after the finish_reason. */
  more: string;
  /** What ends the last line. */
  close: string;
  /** Keeps the connection open: the client has to leave. */
  hangs: boolean;
}
const ends = fc.record<End>({
  finishReason: fc.constantFrom("stop", "with the last text", "none"),
  done: fc.boolean(),
  more: fc.constantFrom("", 'data: {"choices": [{"text": "more"}]}\n\n', "data: no JSON\n\n", ": ping\n\n"),
  close: fc.constantFrom("\n\n", "\n", "", "\r\n\r\n", "\r\r"),
  hangs: fc.boolean(),
});

/** The text of an answer as a stream of pieces of random lengths, cut at random bytes. */
const streams = fc.record({
  end: ends,
  pieceLength: fc.integer({ min: 1, max: 30 }),
  cuts: fc.array(fc.nat(3000), { maxLength: 12 }),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  noise: fc.boolean(),
});

function bodyOf(
  text: string,
  { end, pieceLength, newline, noise }: typeof streams extends fc.Arbitrary<infer T> ? T : never,
) {
  const parts = text.match(new RegExp(`[\\s\\S]{1,${pieceLength}}`, "gu")) ?? [];
  const event = (data: string) => `data: ${data}${newline}${newline}`;
  const reason = (index: number) =>
    end.finishReason === "with the last text" && index === parts.length - 1 ? "stop" : null;
  const events = parts.map((part, index) =>
    event(JSON.stringify({ choices: [{ text: part, finish_reason: reason(index) }] })),
  );
  if (noise) events.splice(1, 0, `: ping${newline}${newline}`, event('{"choices": [], "usage": {"total_tokens": 1}}'));
  if (end.finishReason === "stop") events.push(event('{"choices": [{"text": "", "finish_reason": "stop"}]}'));
  if (end.done) events.push(event("[DONE]"));
  const hasMark = end.done || end.finishReason !== "none";
  return {
    stream: events.join("").replace(/[\r\n]+$/, end.close) + (hasMark && end.close.length > 1 ? end.more : ""),
    hasMark,
  };
}

/** Serves a body in pieces that are cut at some bytes. */
function serveCut(body: string, cuts: readonly number[], hangs: boolean): Promise<string> {
  return serveHttp((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const bytes = Buffer.from(body);
    const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort((a, b) => a - b);
    const write = (index: number): void => {
      const end = places[index + 1];
      if (end !== undefined) {
        response.write(bytes.subarray(places[index], end), () => setImmediate(write, index + 1));
      } else if (!hangs) response.end();
    };
    write(0);
  });
}

test("a complete edit is kept, however the stream is cut and whichever end mark is missing", async () => {
  await fc.assert(
    fc.asyncProperty(streams, async (stream) => {
      const { stream: body, hasMark } = bodyOf(EDIT, stream);
      // Without a mark, only the end of the body is one; and after "\r" there may be "\n".
      const isClosed = stream.end.close.endsWith("\n") && stream.end.close.length > 1;
      const url = await serveCut(body, stream.cuts, stream.end.hangs && hasMark && isClosed);
      const { text } = await serverClient({ serverUrl: url, model: "m", profile: "vllm" }).complete(request);
      expect(text).toBe(EDIT);
    }),
    { numRuns: 150 },
  );
});

test("without an end mark and without the end of an edit, the answer is broken off", async () => {
  await fc.assert(
    fc.asyncProperty(streams, fc.integer({ min: 1, max: EDIT.indexOf("end|>") }), async (stream, length) => {
      const unmarked = { ...stream, end: { ...stream.end, finishReason: "none" as const, done: false } };
      const url = await serveCut(bodyOf(EDIT.slice(0, length), unmarked).stream, stream.cuts, false);
      const answer = serverClient({ serverUrl: url, model: "m", profile: "vllm" }).complete(request);
      await expect(answer).rejects.toThrow(/broke off without a finish_reason or \[DONE\]/);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ["```\nx = 2\n```<|next_end|>", true],
  ["```\nx = 2\n```<|next_end|>\nTwo.<|im_end|>\n", true],
  ["```\nx = 2\n```<|next_end|>\nTw", false],
  ["```\nx = 2\n``", false],
])("after %j a lost connection keeps the answer: %s", async (answer, isKept) => {
  const url = await serveHttp((_, response) => {
    response.write(`data: ${JSON.stringify({ choices: [{ text: answer }] })}\n\n`, () => response.destroy());
  });
  const completion = serverClient({ serverUrl: url, model: "m" }).complete(request);
  if (isKept) expect((await completion).text).toBe(answer);
  else await expect(completion).rejects.toThrow(/broke off in the middle/);
});
