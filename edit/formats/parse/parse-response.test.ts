import { expect, test } from "vitest";
import type { Format } from "../format.ts";
import { parseResponse } from "./parse-response.ts";

const block = "```python\nx = 2\n```";
/** What becomes of an answer: the code of its refusal, or `edit` or `no-change`. */
const outcomeOf = (text: string, format: Format = "wf", finished = false) => {
  const parsed = parseResponse(text, { format, current: "x = 1", finished });
  return parsed.kind === "refused" ? parsed.refusal.code : parsed.kind;
};

test("an answer may repeat the opening token, follow its prompt, or be a completion alone", () => {
  const prompt = "<|im_start|>system\nHelp.<|im_end|>\n<|im_start|>current\n```python\nx = 1\n```<|im_end|>\n";
  const answer = `${block}<|next_end|>\n Because. <|im_end|>`;
  const completions = [answer, `<|next_start|>${answer}`, `\n${answer}<|endoftext|>`];
  const decoded = `<s>${prompt}<|im_start|>assistant\n<|next_start|>${answer}`;
  for (const text of [...completions, decoded]) {
    expect(parseResponse(text, { format: "wf" })).toEqual({
      kind: "edit",
      edit: { format: "wf", lang: "python", ticks: 3, lines: ["x = 2"] },
      explanation: "Because.",
    });
  }
});

test("an edit without its end token is truncated, unless the server reports that it stopped there", () => {
  expect(outcomeOf(block)).toBe("truncated");
  expect(outcomeOf(`${block}<|im_end|>`)).toBe("truncated");
  expect(outcomeOf(block, "wf", true)).toBe("edit");
  expect(outcomeOf("```python\nx = 2", "wf", true)).toBe("malformed");
});

test("control tokens in the wrong place are refused", () => {
  expect(outcomeOf(`${block}<|next_end|>${block}<|next_end|>`)).toBe("stray-token");
  expect(outcomeOf(`<|next_start|><|next_start|>${block}<|next_end|>`)).toBe("stray-token");
  expect(outcomeOf(`${block}<|next_end|><|im_end|>\n<|im_start|>user\nMore.`)).toBe("stray-token");
  expect(outcomeOf("```python\n<|target|>\n```<|next_end|>")).toBe("stray-token");
  expect(outcomeOf("```python\nx\n<|search_and_replace|>\ny\n```<|next_end|>")).toBe("stray-token");
  expect(outcomeOf("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>")).toBe("malformed");
});

test("an empty edit is no change, and malformed in the whole-file format", () => {
  expect(outcomeOf("<|next_start|><|next_end|>Fine as it is.", "lc")).toBe("no-change");
  expect(outcomeOf("<|next_end|>", "sr")).toBe("no-change");
  expect(outcomeOf("<|next_end|>", "wf")).toBe("malformed");
});

test("two edits are distinguished from one edit with fences", () => {
  const two = (lang: string) => `1,1\n\`\`\`${lang}\na\n\`\`\`\n3,3\n\`\`\`${lang}\nb\n\`\`\`<|next_end|>`;
  expect(outcomeOf(two("python"), "lc")).toBe("edit");
  expect(outcomeOf(two(""), "lc")).toBe("edit");
  const fenced = parseResponse(two(""), { format: "lc", current: "# Title\n```\ncode\n```" });
  expect(fenced).toMatchObject({ kind: "refused", refusal: { code: "ambiguous" } });
  const inner = "1,1\n```python\na\n```\n2,2\n```\nb\n```\nc\n```<|next_end|>";
  expect(outcomeOf(inner, "lc")).toBe("ambiguous");
  const separator = "<|search_and_replace|>";
  const clear = `\`\`\`md\na\n${separator}\nb\n\`\`\`\n\`\`\`md\nc\n${separator}\nd\n\`\`\`<|next_end|>`;
  expect(outcomeOf(clear, "sr")).toBe("edit");
  expect(outcomeOf(clear.replace("\nb\n", "\n```\n```md\n"), "sr")).toBe("ambiguous");
  expect(outcomeOf(clear.replace("\nb\n```\n```md", "\nb"), "sr")).toBe("malformed");
});

test("two edits with a missing boundary are not read as one", () => {
  const second = "```python\nb\n```";
  expect(outcomeOf(`1,1\n\`\`\`python\na\n\`\`\`\n${second}<|next_end|>`, "lc")).toBe("ambiguous");
  expect(outcomeOf(`1,1\n\`\`\`python\na\n3,3\n${second}<|next_end|>`, "lc")).toBe("ambiguous");
  expect(outcomeOf("1,1\n```python\na\n```\n3,3\nb\n```<|next_end|>", "lc")).toBe("ambiguous");
  expect(outcomeOf("1,1\n```\na\n```\n-3,3\n```\nb\n```<|next_end|>", "lc")).toBe("ambiguous");
  const blockInside = "1,1\n```md\n```sh\nls\n1,6:\n```\nB\n```<|next_end|>";
  expect(parseResponse(blockInside, { format: "lc", current: "```sh\nls\n```" })).toMatchObject({
    refusal: { code: "ambiguous", reason: expect.stringContaining("two edits ran together") },
  });
  expect(outcomeOf(`\`\`\`python\na\n<|search_and_replace|>\nc\n\`\`\`\n${second}<|next_end|>`, "sr")).toBe(
    "ambiguous",
  );
});

test("a whole file may contain fences; the same file twice is ambiguous", () => {
  const text = "```md\n# A\n```\ncode\n```\n```<|next_end|>";
  expect(parseResponse(text, { format: "wf" })).toMatchObject({ edit: { lines: ["# A", "```", "code", "```"] } });
  expect(outcomeOf(`${block}\n${block}<|next_end|>`)).toBe("ambiguous");
  expect(outcomeOf("```\nx\n```\n```\nx\n```<|next_end|>")).toBe("ambiguous");
  expect(outcomeOf("```python\u2028main.py\nx\n```<|next_end|>")).toBe("malformed");
  expect(outcomeOf(`${block}\n${block.replace("2", "3")}<|next_end|>`)).toBe("ambiguous");
});

test("answers that are too long are refused", () => {
  expect(outcomeOf("x".repeat(16 * 1024 * 1024 + 1))).toBe("too-long");
  expect(outcomeOf(`${"1,1\n```\nx\n```\n".repeat(501)}<|next_end|>`, "lc")).toBe("too-long");
});

test("carriage returns of the transport are removed", () => {
  const text = "1,1\r\n```python\r\nx = 2\r\n```<|next_end|>";
  expect(parseResponse(text, { format: "lc" })).toMatchObject({ edit: { edits: [{ lines: ["x = 2"] }] } });
});
