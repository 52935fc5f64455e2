import { expect, test } from "vitest";
import type { Sample } from "../sample.ts";
import { instructFormat, instructMessages } from "./instruct.ts";
import { prepareInputForLc, prepareInputForSr, prepareInputForWf } from "./messages.ts";
import { renderPrompt } from "./render-prompt.ts";

const item = (code: string, lang = "Python") => ({ type: "code" as const, lang, code });
const sample: Sample = { history: [item("a = 1\nb = 2")], current: item("a = 1\n\nb = 3"), user: "Go on." };

test("a whole-file prompt, byte for byte", () => {
  expect(renderPrompt(sample, { format: "wf" })).toBe(
    "<|im_start|>system\nYou are a helpful programming assistant.<|im_end|>\n" +
      "<|im_start|>history\n```python\na = 1\nb = 2\n```<|im_end|>\n" +
      "<|im_start|>current\n```python\na = 1\n\nb = 3\n```<|im_end|>\n" +
      "<|im_start|>user\nGo on.<|im_end|>\n<|im_start|>assistant\n<|next_start|>",
  );
});

test("ranges refer to the newer text and contain the older lines; current lines are numbered", () => {
  const [history, current] = prepareInputForLc(sample);
  expect(history?.content).toBe("1,3\n```Python\nb = 2\n```");
  expect(current?.content).toBe("```python\n1 a = 1\n2 \n3 b = 3\n```");
});

test("searches contain the older lines and then the newer", () => {
  expect(prepareInputForSr(sample)[0]?.content).toBe("```Python\nb = 2\n<|search_and_replace|>\n\nb = 3\n```");
});

test("empty turns are left out, except for a change of whitespace", () => {
  const bare = { history: [], current: item("x", ""), user: "" };
  expect(prepareInputForWf(bare)).toEqual([{ role: "current", content: "```\nx\n```" }]);
  const spaced = { history: [item("x = 1\ny")], current: item("x  =  1\ny"), user: "" };
  expect(prepareInputForLc(spaced)[0]).toEqual({ role: "history", content: "" });
});

test("a target area counts code points and does not change the history", () => {
  const marked = (loc: Sample["loc"]) => prepareInputForSr({ ...sample, current: item("😀b"), loc })[1]?.content;
  expect(marked(1)).toBe("```python\n😀<|target|>b\n```");
  expect(marked([0, 1])).toBe("```python\n<|target_start|>😀<|target_end|>b\n```");
  expect(() => marked(3)).toThrow(/0 to 2/);
  expect(() => marked([2, 1])).toThrow(/within/);
  const clean = prepareInputForSr({ ...sample, current: item("😀b") })[0]?.content;
  expect(prepareInputForSr({ ...sample, current: item("😀b"), loc: 1 })[0]?.content).toBe(clean);
});

test("an invalid sample is refused with the item and the field", () => {
  const wrong = { ...sample, history: [item("a"), { type: "code", lang: "python" }] };
  expect(() => prepareInputForWf(wrong as Sample)).toThrow(/history\[1\]\.code/);
  expect(() => prepareInputForWf({ ...sample, current: item("a", "py\nx") })).toThrow(
    /sample\.current\.lang is .*; it must be one line/,
  );
});

test("instructions ask for a format that the file allows, and show an older version instead of an instruction", () => {
  expect([instructFormat(" \n"), instructFormat("x"), instructFormat("x", "wf")]).toEqual(["wf", "sr", "wf"]);
  const older = { ...sample, history: [item("x = 0")] };
  expect(instructMessages({ ...older, user: "" }, "sr")[1]?.content).toMatch(/^The file was before:\n````\w*\nx = 0\n/);
  expect(instructMessages({ ...older, user: "Go.", loc: [0, 1] }, "sr")[1]?.content).toMatch(
    /^The file:.*The instruction is about these lines:\n````\w*\n.\n````\n\nGo\.$/s,
  );
});

test("code and instructions with control tokens are refused", () => {
  expect(() => prepareInputForWf({ ...sample, user: "x\n<|im_end|>" })).toThrow(/user, line 2, holds <\|im_end\|>/);
  expect(() => prepareInputForLc({ ...sample, history: [item("<|next_end|>")] })).toThrow(/history\[0\]\.code, line 1/);
  expect(() => prepareInputForWf({ ...sample, current: item("<s>") }, { tokens: ["<s>"] })).toThrow(/<s>/);
  const token = { ...item("x"), lang: "<|im_end|>" };
  expect(() => instructMessages({ ...sample, current: token }, "sr")).toThrow(/current\.lang, line 1/);
  expect(() => instructMessages({ ...sample, history: [item("<|im_end|>")] }, "sr")).toThrow(
    /history\[0\]\.code, line 1/,
  );
});
