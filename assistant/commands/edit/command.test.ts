import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { selectionOf } from "./selection.ts";
import { AFTER, ANSWER, BEFORE, createEditedApp, type EditedApp, edit } from "./testing/edited-app.ts";

let app: EditedApp;

beforeEach(async () => {
  app = await createEditedApp();
});

test("an edit is shown, confirmed, applied and checked", async () => {
  const { out, code, questions } = await app.run(edit(), [ANSWER], { answer: true });
  expect(out).toContain("-    return 1\n+    return 2\n");
  expect(out).toContain("Two is \\u001b[31mmore.");
  expect(questions).toEqual(["Apply this edit?"]);
  expect(await readFile(app.main, "utf8")).toBe(AFTER);
  expect(out).toContain("This is a robot app: ");
  expect(code).toBe(0);
});

test("an edit that is not confirmed is not written", async () => {
  const { err, code } = await app.run(edit());
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
  expect(err).toContain("--yes");
  expect(code).toBe(1);
  expect((await app.run(edit("--dry-run"))).code).toBe(0);
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
});

test("--json writes one object", async () => {
  const { out, err } = await app.run(edit("--yes", "--json"));
  expect(JSON.parse(out)).toMatchObject({
    ...{ status: "applied", file: "hello/main.py", attempts: 1, written: true, check: "passed", notes: [] },
    diff: expect.stringContaining("+    return 2"),
  });
  expect(err).toBe("");
  const asked = await app.run(edit("--json"));
  expect(asked.code).toBe(2);
  expect(JSON.parse(asked.out)).toMatchObject({ status: "error", error: { code: "usage" } });
});

test("a refusal is sent back to the model without control tokens; the last one ends with code 1", async () => {
  const { prompts, out, code, err } = await app.run(edit("--yes", "--no-check"), ["```python\ndef gr", ANSWER]);
  expect(prompts[1]).toContain("Your last answer was not applied.");
  expect(prompts[1]).toContain("has no next_end");
  expect(err).toContain("Refused, asking again.");
  expect(out).toContain("Applied to hello/main.py");
  expect(code).toBe(0);
  const refused = await app.run(edit("--yes", "--json", "--retries", "0"), ["```python\ndef f(:\n```<|next_end|>"]);
  expect(JSON.parse(refused.out)).toMatchObject({ status: "refused", code: "new-syntax-error", written: false });
  expect(refused.code).toBe(1);
  expect(await readFile(app.main, "utf8")).toBe(AFTER);
});

test("code with control tokens is edited: the model sees and writes them in another way", async () => {
  const file = join(app.folder, "hello", "ends.py");
  await writeFile(file, 'END = "<|im_end|>"\nMARK = "<:im_end:>"\n');
  const args = ["edit", ".", "hello/ends.py", "-i", "Add <|endoftext|>.", "--yes", "--no-check"];
  const good = '```python\nEND = ["<!im_end!>", "<!endoftext!>"]\nMARK = "<:im_end:>"\n```<|next_end|>';
  const { prompts, err, out } = await app.run(args, [good.replace("<!endoftext!>", "<|endoftext|>"), good]);
  expect(prompts[0]).toContain('END = "<!im_end!>"\nMARK = "<:im_end:>"');
  expect(prompts[0]).toContain(
    "Add <!endoftext!>.\n\nIn these texts, <!im_end!>, <!endoftext!> stand for special tokens",
  );
  expect(err).toContain("<|endoftext|> is in the middle of the answer");
  expect(prompts[1]).toContain("<!endoftext!> is in the middle of the answer");
  expect(out).toContain('+END = ["<|im_end|>", "<|endoftext|>"]');
  expect(await readFile(file, "utf8")).toBe('END = ["<|im_end|>", "<|endoftext|>"]\nMARK = "<:im_end:>"\n');
});

test("--json has the report of the app's check", async () => {
  const broken = `\`\`\`python\n${AFTER.replace("(RobotApp)", "")}\n\`\`\`<|next_end|>`;
  const { out, code } = await app.run(edit("--yes", "--json"), [broken]);
  const result = JSON.parse(out);
  expect(result).toMatchObject({ status: "applied", check: "failed", checkReport: { verdict: "not-conformant" } });
  const findings = result.checkReport.results.flatMap(({ findings: its }: { findings: unknown[] }) => its);
  expect(findings).toMatchObject([{ file: "hello/main.py", message: expect.stringContaining("must extend RobotApp") }]);
  expect(code).toBe(1);
  expect(JSON.parse((await app.run(edit("--dry-run", "--json"))).out)).toMatchObject({
    check: "skipped",
    checkReport: null,
  });
});

test("--syntax warn applies an edit that breaks the syntax, with a note", async () => {
  const broken = "```python\ndef f(:\n```<|next_end|>";
  const { out, prompts } = await app.run(edit("--yes", "--no-check", "--syntax", "warn"), [broken]);
  expect(prompts).toHaveLength(1);
  expect(out).toContain("note: The file does not parse after the edit");
  expect(await readFile(app.main, "utf8")).toBe("def f(:\n");
});

test("options that exclude each other are refused before a model is asked", async () => {
  for (const more of [
    ["--instruct", "--format", "lc"],
    ["--instruct", "--local", "model"],
    ["--hunks", "--yes"],
    ["--hunks", "--dry-run"],
  ])
    expect(await app.run(edit(...more))).toMatchObject({
      code: 2,
      prompts: [],
      err: expect.stringContaining(more[0]!),
    });
});

test("the convention of line ranges is said, as text and as JSON", async () => {
  const at = BEFORE.split("\n").indexOf("    return 1") + 1;
  const answer = `${at},${at}\n\`\`\`python\n    return 2\n\`\`\`<|next_end|>`;
  const inclusive = await app.run(edit("--format", "lc", "--dry-run"), [answer]);
  expect(inclusive.err).toContain("The ranges were read as inclusive (--convention).");
  const ranges = edit("--format", "lc", "--convention", "slice", "--dry-run");
  expect((await app.run(ranges, [answer])).err).toContain("read as slice");
  expect(JSON.parse((await app.run([...ranges, "--json"], [answer])).out)).toMatchObject({ convention: "slice" });
  expect((await app.run(edit("--dry-run"))).err).not.toContain("--convention");
});

test("with --hunks each change is kept or left", async () => {
  const keep = [false, true];
  const confirm = async () => keep.shift() ?? false;
  const answer = ANSWER.replace("    stop_event.wait(greet())", "    stop_event.wait(1)");
  const { out, code } = await app.run(edit("--hunks"), [answer], { interactive: true, confirm });
  expect(keep).toEqual([]);
  expect(await readFile(app.main, "utf8")).toBe(AFTER);
  expect(out).toContain("Undo it with --undo.");
  expect(code).toBe(0);
});

test("with --hunks an edit of which no change is kept counts as declined", async () => {
  const { err, out, code } = await app.run(edit("--hunks"), [ANSWER], { answer: false });
  expect(err).toContain("Not applied: no change was kept.");
  expect(out).not.toContain("The model changes nothing");
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
  expect(code).toBe(1);
});

test("with --hunks changes are refused that do not parse without the others, and applied with --syntax warn", async () => {
  const current = "x = 1\nz = 1\ny = 2\n";
  const file = join(app.folder, "hello", "pair.py");
  await writeFile(file, current);
  const answer = '```python\nx = """\nz = 1\ny = """\n```<|next_end|>';
  const keepFirst = async (...more: string[]) => {
    const keep = [true, false];
    const confirm = async () => keep.shift() ?? false;
    return app.run(["edit", "hello/pair.py", "-i", "Join.", "--hunks", "--no-check", ...more], [answer], { confirm });
  };
  expect(await keepFirst()).toMatchObject({ code: 1, out: expect.stringContaining("would not parse after the edit") });
  expect(await readFile(file, "utf8")).toBe(current);
  expect((await keepFirst("--syntax", "warn")).out).toContain("note: The file does not parse after the edit");
  expect(await readFile(file, "utf8")).toBe('x = """\nz = 1\ny = 2\n');
});

test("with --hunks the notes on the whole edit are shown before the questions", async () => {
  const keep = [false, true];
  const answer = `\`\`\`python\n${BEFORE.replace("from", "from from").replace("return 1", "return 2")}\n\`\`\`<|next_end|>`;
  const confirm = async () => keep.shift() ?? false;
  const { out } = await app.run(edit("--hunks", "--syntax", "warn", "--no-check"), [answer], { confirm });
  expect(out).toMatch(/^note: The file does not parse after the edit/);
  expect(out.match(/^note:/gm)).toHaveLength(1);
  expect(await readFile(app.main, "utf8")).toBe(AFTER);
});

test("with --lines the model sees the selection, and a change outside of it is noted", async () => {
  const { prompts, out } = await app.run(edit("--lines", "1-2", "--dry-run"));
  expect(prompts[0]).toContain("<|target_start|>from robot_sdk import RobotApp\n<|target_end|>");
  expect(out).toContain("note: It also changes lines outside of 1 to 2.");
  const count = BEFORE.trimEnd().split("\n").length;
  const behind = await app.run(edit("--lines", `1-${count + 1}`));
  expect(behind.err).toContain(`--lines ends at ${count + 1}; the file has ${count} line(s).`);
  expect((await app.run(edit("--lines", "0"))).code).toBe(2);
  expect(selectionOf("\u{1f600}a\nb\n", { first: 2, last: 2 })).toEqual([3, 4]);
});

test.each([
  [["--dtype", "q4"], "--dtype has no effect without --local"],
  [["--device", "cpu"], "--device has no effect without --local"],
  [["--local", "m", "--server-url", "http://127.0.0.1:1"], "--server-url has no effect with --local"],
  [["--local", "m", "--model", "x"], "--model has no effect with --local"],
  [["--local", "m", "--timeout", "9"], "--timeout has no effect with --local"],
  [["--local", "m", "--no-stream"], "--no-stream has no effect with --local"],
  [["--instruct", "--profile", "vllm"], "--profile has no effect on a request in a chat"],
  [["--instruct", "--api", "completions"], "--api has no effect on a request in a chat"],
  [["--convention", "slice"], "--convention has no effect on another format than lc"],
  [["--history", "none", "--versions", "2"], "--versions has no effect with --history none"],
  [["--undo"], "--instruction has no effect with --undo"],
])("the options %j are refused before a model is asked: %s", async (more, problem) => {
  const { code, err, prompts } = await app.run(edit(...more));
  expect({ code, err, prompts }).toEqual({ code: 2, err: expect.stringContaining(`${problem}`), prompts: [] });
});

test("every option is used, or refused, by an undo and by a chat", async () => {
  for (const more of [["--syntax", "warn"], ["--no-check"], ["--retries", "0"], ["--format", "sr"], ["--no-explain"]])
    expect(await app.run(["edit", ".", "--undo", ...more])).toMatchObject({
      code: 2,
      err: expect.stringContaining("with --undo"),
    });
  for (const more of [
    ["--dtype", "q4"],
    ["--api", "chat"],
    ["--profile", "vllm"],
  ])
    expect((await app.run(["chat", ".", "-q", "Why?", ...more])).code).toBe(2);
});
