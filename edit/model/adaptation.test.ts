import fc from "fast-check";
import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { serverClient } from "./server-client.ts";

interface Sent {
  messages: { role: string; content: string }[];
  stream?: boolean;
  [field: string]: unknown;
}

/** What a model does not take, and how servers say so. */
const REFUSALS: Readonly<Record<string, { takes(body: Sent): boolean; says: readonly unknown[]; status?: number }>> = {
  "a system turn": {
    takes: ({ messages }) => messages.every(({ role }) => role !== "system"),
    says: [
      "System role not supported",
      "Conversation roles must alternate user/assistant/user/assistant/...",
      "Only user and assistant roles are supported!",
      {
        message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        param: "messages[0].role",
      },
    ],
  },
  temperature: {
    takes: (body) => !("temperature" in body),
    says: [
      {
        message:
          "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      },
      "`temperature` must be strictly positive",
      { message: "Unsupported parameter", param: "temperature", code: "unsupported_parameter" },
      [{ loc: ["body", "temperature"], msg: "Input should be greater than 0", input: { stop: "x", stream: true } }],
    ],
  },
  max_tokens: {
    takes: (body) => "max_completion_tokens" in body,
    says: [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { message: "Unrecognized request argument supplied: max_tokens" },
      { message: "this is unsupported", param: "max_tokens" },
    ],
  },
  streams: {
    takes: ({ stream }) => !stream,
    says: ["Streaming is not supported for this model.", { message: "invalid value", param: "stream" }],
  },
};
const KINDS = Object.keys(REFUSALS);

const MESSAGES = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hi." },
];
const request = { messages: MESSAGES as never, prompt: "", explain: true, maxTokens: 7, plain: true } as const;

test("whatever a model does not take is learned from its refusals, once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(KINDS),
      fc.nat(),
      fc.constantFrom(400, 422, 500),
      fc.constantFrom<(said: unknown) => unknown>(
        (said) => ({ error: typeof said === "string" ? { message: said } : said }),
        (said) => ({ detail: said }),
        (said) => said,
      ),
      async (kinds, wording, status, wrap) => {
        const bodies: Sent[] = [];
        const url = await serveHttp(async (incoming, response) => {
          if (incoming.method === "GET") return response.writeHead(404).end();
          const body: Sent = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
          bodies.push(body);
          const refused = kinds.map((kind) => REFUSALS[kind]).find((each) => !each?.takes(body));
          if (refused !== undefined) {
            const said = refused.says[wording % refused.says.length];
            return response.writeHead(status).end(JSON.stringify(wrap(said)));
          }
          const choice = { [body.stream ? "delta" : "message"]: { content: "Yes." }, finish_reason: "stop" };
          const answer = JSON.stringify({ choices: [choice] });
          return response.end(body.stream ? `data: ${answer}\n\n` : answer);
        });
        const complete = () => serverClient({ serverUrl: url, model: "m" }).complete(request);
        expect((await complete()).text).toBe("Yes.");
        expect(bodies).toHaveLength(kinds.length + 1);
        // The next request, also of another client, is the one that was taken.
        expect((await complete()).text).toBe("Yes.");
        expect(bodies).toHaveLength(kinds.length + 2);
        const last = bodies.at(-1);
        expect(last).toEqual(bodies.at(-2));
        expect(last?.max_tokens ?? last?.max_completion_tokens).toBe(7);
        expect(last?.messages.map(({ content }) => content).join("\n\n")).toBe("Be brief.\n\nHi.");
      },
    ),
    { numRuns: 100 },
  );
});

test("a refusal that names nothing of the request is the error, after one request", async () => {
  let count = 0;
  const url = await serveHttp((incoming, response) => {
    count += incoming.method === "POST" ? 1 : 0;
    response.writeHead(400).end('{"error": {"message": "No such model: m"}}');
  });
  await expect(serverClient({ serverUrl: url, model: "m" }).complete(request)).rejects.toThrow(/No such model: m/);
  expect(count).toBe(1);
});

test("a model that takes nothing ends with its refusal", async () => {
  const url = await serveHttp((_, response) => {
    response.writeHead(400).end('{"error": "system temperature max_tokens max_completion_tokens stream unsupported"}');
  });
  await expect(serverClient({ serverUrl: url, model: "m" }).complete(request)).rejects.toThrow(/unsupported/);
});
