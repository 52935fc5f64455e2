import fc from "fast-check";
import { expect, test } from "vitest";
import { runProgram } from "../../program.ts";
import { fakeTerminal } from "../../testing/fake-terminal.ts";
import { byteLines } from "./jsonl.ts";

async function lines(command: string, input: string | Uint8Array): Promise<Record<string, unknown>[]> {
  const terminal = fakeTerminal({ input });
  await runProgram(["model", command, "--jsonl"], "0.0.0", terminal);
  expect(terminal.written).toMatchObject({ err: "", code: 0 });
  return terminal.written.out
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const item = { type: "code", lang: "python", code: "x = 1" };
const sample = { history: [], current: item, user: "" };

test("each sample gets its prompt and each invalid line an error, in order", async () => {
  const jobs = [
    JSON.stringify({ format: "wf", sample }),
    "not json",
    "",
    JSON.stringify({ format: "xx", sample }),
    JSON.stringify({ format: "lc", sample: { ...sample, user: "<|im_end|>" } }),
    JSON.stringify({ format: "lc", sample: { ...sample, current: { ...item, code: 1 } } }),
    JSON.stringify({ format: "sr", sample: { ...sample, user: "a\u2028b" } }),
  ];
  const [first, second, third, fourth, fifth, sixth, last] = await lines("render", jobs.join("\n"));
  const head =
    "<|im_start|>system\nYou are a helpful programming assistant.<|im_end|>\n<|im_start|>current\n```python\n";
  expect(first).toEqual({ prompt: `${head}x = 1\n\`\`\`<|im_end|>\n<|im_start|>assistant\n<|next_start|>` });
  const failed = (code: string, text: string) => ({
    status: "error",
    error: { code, detail: expect.stringContaining(text) },
  });
  expect([second, third]).toEqual([
    failed("bad-request", "Line 2"),
    failed("bad-request", "Line 3: The line is empty;"),
  ]);
  expect(fourth).toEqual(failed("bad-request", 'job.format is "xx"; it must be one of "wf", "lc", "sr".'));
  expect(fifth).toEqual(failed("control-token", "user, line 1"));
  expect(sixth).toEqual(failed("bad-request", "sample.current.code is 1; it must be a text."));
  expect(last?.prompt).toContain("<|im_start|>user\na\u2028b<|im_end|>");
});

test("the syntax check and the final newline of a line are choices", async () => {
  const broken = { format: "wf", current: item, response: "```\ndef f(:\n```<|next_end|>" };
  const ended = { format: "wf", current: "a\n", response: "```\nb\n```<|next_end|>" };
  const jobs = [broken, { ...broken, syntax: "warn" }, ended, { ...ended, finalNewline: "answer" }];
  expect(await lines("apply", jobs.map((job) => JSON.stringify(job)).join("\n"))).toMatchObject([
    { status: "refused", code: "new-syntax-error" },
    { status: "applied", detail: expect.stringContaining("does not parse") },
    { status: "applied", result: "b\n" },
    { status: "applied", result: "b" },
  ]);
});

test("each answer is applied, changes nothing, or is refused", async () => {
  const response = "2,2\n```\nc\n```<|next_end|>\nWhy.<|im_end|>";
  const jobs = [
    { format: "lc", current: "a\nb", response },
    { format: "lc", convention: "slice", current: { ...item, lang: "text", code: "a\nb" }, response },
    { format: "lc", convention: null, current: "a\nc", response: `<|next_start|>${response}` },
    { format: "wf", current: "a", response: "```\nb\n```", finished: true },
    { format: "wf", current: "a", response: "```\nb\n```" },
    { format: "sr", current: "if x:\n    y", response: "```\ny\n<|search_and_replace|>\nz\n```<|next_end|>" },
    { format: "wf", response: "" },
  ];
  expect(await lines("apply", jobs.map((job) => JSON.stringify(job)).join("\n"))).toEqual([
    { status: "applied", result: "a\nc", explanation: "Why." },
    { status: "applied", result: "a\nb\nc", explanation: "Why." },
    { status: "no-change", explanation: "Why." },
    { status: "applied", result: "b" },
    { status: "refused", code: "truncated", detail: expect.stringContaining("<|next_end|>") },
    { status: "applied", result: "if x:\n    z", detail: expect.stringContaining("re-indented") },
    { status: "error", error: { code: "bad-request", detail: expect.stringContaining("current") } },
  ]);
});

test("Python code without a named language is still checked for syntax errors", async () => {
  const job = (current: string) => ({ format: "lc", current, response: '1,1\n```\n    "Doc."\n```<|next_end|>' });
  const jobs = [job("def f():\n    return 1\n"), job("alpha beta\ngamma\n")];
  const [python, prose] = await lines("apply", jobs.map((each) => JSON.stringify(each)).join("\n"));
  expect(python).toMatchObject({
    status: "refused",
    code: "new-syntax-error",
    detail: expect.stringContaining("slice"),
  });
  expect(prose).toMatchObject({ status: "applied" });
});

test("bytes that are not UTF-8 make only their line invalid", async () => {
  const input = Buffer.concat([
    Buffer.from([0x22, 0xff, 0x22, 0x0a]),
    Buffer.from(JSON.stringify({ format: "wf", sample })),
  ]);
  const [broken, fine] = await lines("render", input);
  expect(broken).toMatchObject({ error: { detail: expect.stringContaining("not UTF-8") } });
  expect(fine).toHaveProperty("prompt");
});

test("lines are the same for every way to split the bytes", async () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((all) => all.map((each) => (each % 5 === 0 ? 0x0a : each)));
  await fc.assert(
    fc.asyncProperty(fc.array(bytes), async (chunks) => {
      const whole = Buffer.concat(chunks).toString("latin1");
      const got: string[] = [];
      for await (const line of byteLines(chunks.values() as unknown as AsyncIterable<Uint8Array>)) {
        got.push(Buffer.from(line).toString("latin1"));
      }
      expect(got).toEqual(whole === "" ? [] : whole.replace(/\n$/, "").split("\n"));
    }),
  );
});
