import { expect, test } from "vitest";
import { chatReply } from "./chat-reply.ts";

test("a chat reply ends with its turn", () => {
  expect(chatReply("Hello!<|im_end|>")).toEqual({ reply: "Hello!", complete: true });
  expect(chatReply("Hel")).toEqual({ reply: "Hel", complete: false });
  const decoded =
    "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nHi!<|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>";
  expect(chatReply(decoded)).toEqual({ reply: "Hello!", complete: true });
  expect(() => chatReply("<|next_start|>x")).toThrow(/middle of the answer/);
});
