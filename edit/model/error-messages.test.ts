import { expect, test } from "vitest";
import { errorMessageOf, isContextOverflow } from "./error-messages.ts";

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
  expect(isContextOverflow(message)).toBe(true);
});

test.each(["No such model", "The engine died.", "Unknown role: current"])("%j is another error", (message) => {
  expect(isContextOverflow(message)).toBe(false);
});

test.each([
  ['{"error": {"message": "a"}}', "a"],
  ['{"error": "b"}', "b"],
  ['{"object": "error", "message": "c"}', "c"],
  ['{"detail": "d"}', "d"],
  ["<html>", "<html>"],
  ["", "an empty answer"],
])("the message of %s is %s", (body, message) => {
  expect(errorMessageOf(body)).toBe(message);
});
