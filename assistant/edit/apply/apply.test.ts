import { expect, test } from "vitest";
import { fenced, rangeBlock, searchBlock } from "../formats/fence.ts";
import { type ApplyOptions, applyEdit, hashText } from "./apply.ts";

const run = (current: string, body: string, options: ApplyOptions) =>
  applyEdit(current, `${body}<|next_end|><|im_end|>`, { lang: "text", ...options });
const wf = (current: string, after: string, options: ApplyOptions = {}) =>
  run(current, fenced("text", after), { format: "wf", ...options });
const lc = (current: string, start: number, end: number, lines: string, options: ApplyOptions = {}) =>
  run(current, rangeBlock("text", start, end, lines), { format: "lc", ...options });
const sr = (current: string, search: string, lines: string, options: ApplyOptions = {}) =>
  run(current, searchBlock("text", search, lines), { format: "sr", ...options });
const slice = { convention: "slice" } as const;
const result = (text: string) => ({ status: "applied", result: text });
const refused = (code: string) => ({ status: "refused", refusal: { code } });

test("inclusive ranges replace whole lines; slices may insert", async () => {
  expect(await lc("a\nb\nc\n", 2, 2, "x\ny")).toMatchObject(result("a\nx\ny\nc\n"));
  expect(await lc("a\nb\nc\n", 1, 2, "x", slice)).toMatchObject(result("a\nx\nc\n"));
  expect(await lc("a\nb", 0, 0, "x", slice)).toMatchObject(result("x\na\nb"));
  expect(await lc("a\nb", 2, 2, "x", slice)).toMatchObject(result("a\nb\nx"));
  expect(await lc("", 1, 1, "x")).toMatchObject(result("x"));
});

test("an empty replacement deletes, an empty insertion is a blank line", async () => {
  expect(await lc("a\nb\nc", 2, 2, "")).toMatchObject(result("a\nc"));
  expect(await lc("a\nb\nc", 3, 3, "")).toMatchObject(result("a\nb"));
  expect(await lc("a\nb", 1, 1, "", slice)).toMatchObject(result("a\n\nb"));
  expect(await sr("a\nb\nc", "b", "")).toMatchObject(result("a\nc"));
  expect(await run("a\nb\nc", "```\nb\n<|search_and_replace|>\n```", { format: "sr" })).toMatchObject(result("a\nc"));
  expect(await run("a\nb", "1,1\n```\n```", { format: "lc", ...slice })).toMatchObject(refused("empty-insertion"));
});

test("ranges must lie in the file, run forwards and stay apart", async () => {
  expect(await lc("a\nb", 0, 1, "x")).toMatchObject(refused("out-of-bounds"));
  expect(await lc("a\nb", 2, 3, "x")).toMatchObject(refused("out-of-bounds"));
  expect(await lc("a\nb", 2, 1, "x")).toMatchObject(refused("reversed"));
  expect(await lc("a\nb", 1, 9e15, "x")).toMatchObject(refused("out-of-bounds"));
  const two = (first: string, second: string) => run("a\nb\nc", `${first}\n${second}`, { format: "lc" });
  expect(await two(rangeBlock("text", 1, 2, "x"), rangeBlock("text", 2, 3, "y"))).toMatchObject(refused("overlap"));
  expect(await two(rangeBlock("text", 3, 3, "z"), rangeBlock("text", 1, 1, "x"))).toMatchObject(result("x\nb\nz"));
});

test("copied line numbers are refused", async () => {
  expect(await lc("a\nb\nc", 2, 3, "2 x\n3 y")).toMatchObject(refused("line-numbers"));
  expect(await lc("1 a\n2 b", 2, 2, "2 x")).toMatchObject(result("1 a\n2 x"));
});

test("a search must stand in the file exactly once", async () => {
  expect(await sr("a\nb\na\nb", "a", "x")).toMatchObject({
    refusal: { code: "found-twice", reason: expect.stringContaining("1, 3") },
  });
  expect(await sr("a\na\na", "a\na", "x")).toMatchObject({ refusal: { reason: expect.stringContaining("1, 2") } });
  const lost = await sr("one\n  two = 2\nthree", "two = 3\nthree", "x");
  expect(lost).toMatchObject({ refusal: { code: "not-found", hint: expect.stringContaining("line 2") } });
  expect(await sr("a\n\nb", "", "x")).toMatchObject(refused("empty-search"));
  expect(await sr("", "", "x")).toMatchObject(result("x"));
  const twice = `${searchBlock("text", "a\nb", "x")}\n${searchBlock("text", "b", "y")}`;
  expect(await run("a\nb", twice, { format: "sr" })).toMatchObject(refused("overlap"));
});

test("uniform indentation drift is moved along and said; anything else is not guessed", async () => {
  const file = "def f():\n    if x:\n        go()\n";
  const moved = await sr(file, "if x:\n    go()", "if y:\n    go()");
  expect(moved).toMatchObject({
    ...result("def f():\n    if y:\n        go()\n"),
    notes: [expect.stringContaining("re-indented")],
  });
  expect(await sr(file, "if x:\ngo()", "if y:\ngo()")).toMatchObject(refused("not-found"));
  expect(await sr(file, "if x:\n    go()", "    if y:\n        go()")).toMatchObject(refused("indent-drift"));
  expect(await sr("x\nif a:\n", "    if a:", "    if b:")).toMatchObject(result("x\nif b:\n"));
});

test("line ends, byte order mark and final newline stay", async () => {
  expect(await wf("a\r\nb\r\n", "a\nc")).toMatchObject(result("a\r\nc\r\n"));
  expect(await wf("a\nb", "a\nc")).toMatchObject(result("a\nc"));
  expect(await wf("\uFEFFa\n", "b\n")).toMatchObject(result("\uFEFFb\n"));
  expect(await wf("a\r\nb\nc\r\n", "a\nx\nc\n")).toMatchObject(result("a\r\nx\nc\r\n"));
  expect(await lc("a\r\nb\r\nc", 2, 2, "x\ny")).toMatchObject(result("a\r\nx\r\ny\r\nc"));
  expect(await lc("a\r\nb", 2, 2, "x", slice)).toMatchObject(result("a\r\nb\r\nx"));
  expect(await sr("a\r\nb\r\n", "b", "x")).toMatchObject(result("a\r\nx\r\n"));
  expect(await wf("a\n", "")).toMatchObject(result(""));
});

test("an answer as text needs its format", async () => {
  await expect(applyEdit("a", "b")).rejects.toMatchObject({ code: "bad-request" });
});

test("nothing changed, another language, another base: each said as what it is", async () => {
  expect(await wf("a\n", "a")).toMatchObject({ status: "no-change" });
  expect(await wf("a", "b", { lang: "python" })).toMatchObject(refused("wrong-language"));
  expect(await wf("a", "b", { baseHash: hashText("z") })).toMatchObject(refused("base-changed"));
  expect(await wf("a", "b", { baseHash: hashText("a") })).toMatchObject(result("b"));
});
