import { expect, test } from "vitest";
import { complaintOf, isContextOverflow } from "./complaint.ts";

test.each([
  [
    "vLLM",
    "This model's maximum context length is 4096 tokens. However, you requested 4198 tokens (2150 in the messages).",
  ],
  ["vLLM", "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
  ["SGLang", "The input (5000 tokens) is longer than the model's context length (4096 tokens)."],
  ["llama.cpp", "the request exceeds the available context size, try increasing it"],
  ["an OpenAI-style server", '{"code": "context_length_exceeded"}'],
  ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length"],
])("%s reports a context overflow", (_, message) => {
  expect(isContextOverflow(complaintOf(message), 400)).toBe(true);
});

test.each(["No such model", "The engine died.", "Unknown role: current"])("%j is another error", (message) => {
  expect(isContextOverflow(complaintOf(message), 400)).toBe(false);
});

test.each([
  ['{"error": {"message": "a"}}', "a"],
  ['{"error": "b"}', "b"],
  ['{"object": "error", "message": "c"}', "c"],
  ['{"detail": "d"}', "d"],
  ["<html><title>Bad Gateway</title>", 'the web page "Bad Gateway", not a model\'s answer'],
  ["", "an empty answer"],
])("the message of %s is %s", (body, message) => {
  expect(complaintOf(body).message).toBe(message);
});
