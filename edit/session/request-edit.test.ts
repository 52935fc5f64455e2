import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { serverClient } from "../model/server-client.ts";
import { startChatServer } from "../testing/chat-server.ts";
import { startReplayServer } from "../testing/replay/server.ts";
import { requestEdit } from "./request-edit.ts";

const good = "Sure!\n<|next_start|>```python\nx = 1\n<|search_and_replace|>\nx = 2\n```<|next_end|>\nTwo.";
const bad = good.replace("x = 1", "y = 1");
const base = {
  sample: { history: [], current: { type: "code" as const, lang: "python", code: "x = 1\n" }, user: "Set x to 2." },
  original: "x = 1\n",
  format: "sr" as const,
  convention: "inclusive" as const,
  instruct: true,
  explain: true,
  maxTokens: 100,
  retries: 1,
};

test("any chat model is asked with the format as instructions, and told why its answer was refused", async () => {
  const { url, asked } = await startChatServer([bad, good]);
  const client = serverClient({ serverUrl: url, model: "chat" });
  const { outcome, attempts } = await requestEdit({ ...base, client });
  expect(outcome).toMatchObject({ status: "applied", result: "x = 2\n", explanation: "Two." });
  expect(attempts).toBe(2);
  expect(asked[0]?.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(asked[0]?.[0]?.content).toContain("<|search_and_replace|>");
  // The conversation goes on after the refused answer.
  expect(asked[1]?.slice(0, 2)).toEqual(asked[0]);
  expect(asked[1]?.slice(2)).toEqual([
    { role: "assistant", content: bad },
    { role: "user", content: expect.stringContaining('"y = 1" and what follows is not in the file') },
  ]);
});

test("a refusal that names a token of the format does not show it as the escaped tokens of the code", async () => {
  const original = 'x = "<|im_end|>"\n';
  const shared = good.replace("<|search_and_replace|>", "# <|search_and_replace|>");
  const { url, asked } = await startChatServer([shared]);
  const sample = { ...base.sample, current: { ...base.sample.current, code: original } };
  await requestEdit({ ...base, sample, original, client: serverClient({ serverUrl: url, model: "chat" }) });
  expect(asked[1]?.[3]?.content).toContain("search lines, search_and_replace on a line of its own");
});

test("an explanation has the control tokens of the code", async () => {
  const original = "x = 1  # <|im_end|>\n";
  const { url } = await startChatServer([
    good.replaceAll("x = 1", "x = 1  # <:im_end:>").replace("Two.", "<:im_end:>."),
  ]);
  const sample = { ...base.sample, current: { ...base.sample.current, code: original } };
  const { outcome } = await requestEdit({
    ...base,
    sample,
    original,
    client: serverClient({ serverUrl: url, model: "chat" }),
  });
  expect(outcome).toMatchObject({ status: "applied", explanation: "<|im_end|>." });
});

test("a refusal says that an answer quotes one of the older versions", async () => {
  const { url } = await startChatServer([bad]);
  const client = serverClient({ serverUrl: url, model: "chat" });
  const history = [{ ...base.sample.current, code: "y = 1\n" }];
  expect((await requestEdit({ ...base, client, sample: { ...base.sample, history } })).outcome).toMatchObject({
    refusal: { code: "not-found", reason: expect.stringContaining("older version") },
  });
});

test("an answer that does not say where its edit ends is refused", async () => {
  const { url } = await startChatServer([good.replace("<|next_end|>", "")]);
  const client = serverClient({ serverUrl: url, model: "chat" });
  expect((await requestEdit({ ...base, client })).outcome).toMatchObject({ refusal: { code: "truncated" } });
});

test("the refused answer is left out where the conversation is longer than the model's context", async () => {
  const bodies: { messages: { role: string; content: string }[] }[] = [];
  const url = await serveHttp(async (incoming, response) => {
    const body = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
    bodies.push(body);
    if (body.messages.length > 2)
      return response.writeHead(400).end('{"error": {"message": "Too many tokens for the context."}}');
    const message = { content: bodies.length === 1 ? bad : good };
    return response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }] }));
  });
  const changes: string[] = [];
  const client = serverClient({ serverUrl: url, model: "chat" });
  const { outcome } = await requestEdit({ ...base, client, onContextOverflow: (change) => changes.push(change) });
  expect({ status: outcome.status, changes }).toEqual({ status: "applied", changes: ["without its last answer"] });
  expect(bodies.at(-1)?.messages[1]?.content).toContain("Your last answer was not applied.");
});

test("a model that was trained for the format goes on in its own turns", async () => {
  const prompts: string[] = [];
  const trained = (answer: string) => answer.replace("Sure!\n<|next_start|>", "");
  const server = await startReplayServer({
    answerTo: async (prompt) => trained(prompts.push(prompt) === 1 ? `${bad}<|im_end|>\n<|im_start|>user` : good),
  });
  onTestFinished(() => server.close());
  const client = serverClient({ serverUrl: server.url, model: "trained", profile: "vllm" });
  expect((await requestEdit({ ...base, instruct: false, client })).outcome).toMatchObject({ status: "applied" });
  const [first = "", second = ""] = prompts;
  const answer = `<|next_start|>${trained(bad)}<|im_end|>`;
  expect(
    second.startsWith(`${first}${answer.slice("<|next_start|>".length)}\n<|im_start|>user\nYour last answer`),
  ).toBe(true);
  expect(second.endsWith("<|im_end|>\n<|im_start|>assistant\n<|next_start|>")).toBe(true);
});
