import { describe, expect, test } from "vitest";
import { applyEdit, type EditResult } from "./apply/apply.ts";
import { FORMATS } from "./formats/format.ts";
import { chatReply } from "./formats/parse/chat-reply.ts";
import { parseResponse } from "./formats/parse/parse-response.ts";
import { ResponseStream } from "./formats/parse/stream.ts";
import { APIS } from "./model/profiles.ts";
import { serverClient } from "./model/server-client.ts";
import { prepareInput } from "./prompt/messages.ts";
import { renderPrompt } from "./prompt/render-prompt.ts";
import { applyChatTemplate } from "./prompt/template.ts";
import { replay } from "./testing/models/replay.ts";
import { loadTranscripts } from "./testing/replay/transcript.ts";

const transcripts = await loadTranscripts("fixtures/transcripts");
const edits = [...transcripts].flatMap(([name, { edit, ...rest }]) => (edit ? [{ name, ...rest, ...edit }] : []));
const chats = [...transcripts].flatMap(([name, { chat, ...rest }]) => (chat ? [{ name, ...rest, ...chat }] : []));

/** An outcome in the words of the transcripts. */
function inShort(outcome: EditResult): unknown {
  const { status, explanation } = outcome;
  if (outcome.status === "refused") return { status, code: outcome.refusal.code };
  return outcome.status === "applied" ? { status, result: outcome.result, explanation } : { status, explanation };
}

test("there are at least 40 transcripts, of every format", () => {
  expect(edits.length + chats.length).toBeGreaterThanOrEqual(40);
  for (const format of FORMATS) expect(edits.filter((each) => each.format === format).length).toBeGreaterThan(10);
});

describe.each(edits)("$name: $title", ({ sample, format, convention, prompt, response, outcome }) => {
  const current = sample.current.code;
  const how = { format, convention, lang: sample.current.lang };

  test("the prompt, byte for byte", () => {
    expect(renderPrompt(sample, { format })).toBe(prompt);
  });

  test("the outcome of the completion and of the whole decoded output", async () => {
    expect(inShort(await applyEdit(current, response, how))).toEqual(outcome);
    const decoded = inShort(await applyEdit(current, prompt + response, how));
    // Turns after the answer make a decoded output no prompt and answer; in a completion they are refused.
    if (response.includes("<|im_start|>")) expect(decoded).toMatchObject({ status: "refused" });
    else expect(decoded).toEqual(outcome);
  });

  test("the same result letter by letter", () => {
    const stream = new ResponseStream({ format, current });
    for (const letter of response) stream.push(letter);
    expect(stream.end()).toEqual(parseResponse(response, { format, current }));
  });

  // A server stops at the end of the turn, so what runs on after it cannot be seen there.
  test.each(response.includes("<|im_start|>") ? [] : APIS)("the same result from a server: %s", async (api) => {
    const { url } = await replay({ [prompt]: response });
    const client = serverClient({ serverUrl: url, model: "replay", profile: "vllm", api });
    const request = { messages: prepareInput(sample, format), prompt, explain: true, maxTokens: 10_000 };
    const { text, finished } = await client.complete(request);
    expect(inShort(await applyEdit(current, text, { ...how, finished }))).toEqual(outcome);
  });
});

test.each(chats)("$name: $title", ({ messages, prompt, response, reply }) => {
  expect(applyChatTemplate(messages, { addGenerationPrompt: true })).toBe(prompt);
  expect(chatReply(response)).toEqual({ reply, complete: true });
  expect(chatReply(prompt + response)).toEqual({ reply, complete: true });
});
