import { expect, test } from "vitest";
import { serverClient } from "../model/server-client.ts";
import { startChatServer } from "../testing/chat-server.ts";
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
  expect(asked[1]?.[1]?.content).toContain('"y = 1" and what follows is not in the file');
});

test("a refusal that names a token of the format does not show it as the escaped tokens of the code", async () => {
  const original = 'x = "<|im_end|>"\n';
  const shared = good.replace("<|search_and_replace|>", "# <|search_and_replace|>");
  const { url, asked } = await startChatServer([shared]);
  const sample = { ...base.sample, current: { ...base.sample.current, code: original } };
  await requestEdit({ ...base, sample, original, client: serverClient({ serverUrl: url, model: "chat" }) });
  expect(asked[1]?.[1]?.content).toContain("search lines, search_and_replace on a line of its own");
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
