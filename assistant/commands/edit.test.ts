import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startReplayServer } from "../edit/replay/server.ts";
import { fakeTerminal } from "../edit/testing/fake-terminal.ts";
import { runProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";

const before = "def greet():\n    return 1\n";
const after = "def greet():\n    return 2\n";
const good = "```python\ndef greet():\n    return 2\n\n```<|next_end|>\nTwo is \x1b[31mmore.<|im_end|>";
let app = "";
let main = "";
let env: Record<string, string> = {};

beforeEach(async () => {
  app = await mkdtemp(join(tmpdir(), "edit-command-"));
  onTestFinished(() => rm(app, { recursive: true, force: true }));
  main = join(app, "hello", "main.py");
  env = { XDG_STATE_HOME: join(app, "state") };
  await mkdir(join(app, "hello"));
  await writeFile(main, before);
  await writeFile(join(app, "pyproject.toml"), "[project]\n");
});

/** Runs a command line against a server that gives these answers, one after the other; returns what it wrote. */
async function run(args: string[], answers: string[] = [good], more: Partial<Terminal> & { answer?: boolean } = {}) {
  const prompts: string[] = [];
  const answerTo = async (prompt: string) => answers[Math.min(prompts.push(prompt), answers.length) - 1];
  const server = await startReplayServer({ answerTo });
  const terminal = fakeTerminal({ env: { ...env, ROBOT_MODEL_URL: server.url }, cwd: app, ...more });
  await runProgram(args, "0.0.0", terminal);
  await server.close();
  return { ...terminal.written, prompts };
}

const edit = (...args: string[]) => ["edit", ".", "-i", "Return two.", ...args];

test("an edit is shown, asked about, applied and checked", async () => {
  const { out, code, questions, runs } = await run(edit(), [good], { answer: true });
  expect(out).toContain("-    return 1\n+    return 2\n");
  expect(out).toContain("Two is \\u001b[31mmore.");
  expect(questions).toEqual(["Apply this edit?"]);
  expect(await readFile(main, "utf8")).toBe(after);
  expect(runs).toEqual([["check", app]]);
  expect(code).toBe(0);
});

test("without a yes nothing is written", async () => {
  const { err, code } = await run(edit());
  expect(await readFile(main, "utf8")).toBe(before);
  expect(err).toContain("--yes");
  expect(code).toBe(1);
  expect((await run(edit("--dry-run"))).code).toBe(0);
  expect(await readFile(main, "utf8")).toBe(before);
});

test("JSON says it all in one object", async () => {
  const { out, err } = await run(edit("--yes", "--json"));
  expect(JSON.parse(out)).toMatchObject({
    ...{ status: "applied", file: "hello/main.py", attempts: 1, written: true, check: "passed", notes: [] },
    diff: expect.stringContaining("+    return 2"),
  });
  expect(err).toBe("");
  const asked = await run(edit("--json"));
  expect(asked.code).toBe(2);
  expect(JSON.parse(asked.out)).toMatchObject({ status: "error", error: { code: "usage" } });
});

test("a refusal goes back to the model, without its tokens, and ends with code 1", async () => {
  const { prompts, out, code, err } = await run(edit("--yes", "--no-check"), ["```python\ndef gr", good]);
  expect(prompts[1]).toContain("Your last answer was not applied.");
  expect(prompts[1]).toContain("holds no next_end");
  expect(err).toContain("Refused, asking again.");
  expect(out).toContain("Applied to hello/main.py");
  expect(code).toBe(0);
  const refused = await run(edit("--yes", "--json", "--retries", "0"), ["```python\ndef f(:\n```<|next_end|>"]);
  expect(JSON.parse(refused.out)).toMatchObject({ status: "refused", code: "new-syntax-error", written: false });
  expect(refused.code).toBe(1);
  expect(await readFile(main, "utf8")).toBe(after);
});

test("an edit can be taken back while nobody touched the file, and is history for the next", async () => {
  await run(edit("--yes"));
  const next = await run(["edit", "hello/main.py", "--dry-run"], ["```python\n```<|next_end|>"]);
  expect(next.prompts[0]).toContain(`<|im_start|>history\n\`\`\`python\n${before}\n\`\`\`<|im_end|>`);
  expect((await run(["edit", ".", "--undo"])).out).toContain("+    return 1");
  expect(await readFile(main, "utf8")).toBe(before);
  expect((await run(["edit", ".", "--undo"])).err).toContain("no edit to take back");
  await run(edit("--yes"));
  await writeFile(main, "x = 1\n");
  expect((await run(["edit", ".", "--undo"])).err).toContain("has changed since");
});

test("history also comes from git", async () => {
  const git = (...args: string[]) => execa("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: app });
  await git("init", "-q");
  await git("add", ".");
  await git("commit", "-qm", "one");
  await writeFile(main, "def greet(name):\r\n    return 1\r\n");
  const { prompts } = await run(["edit", ".", "--dry-run"], [good]);
  expect(prompts[0]).toContain(`<|im_start|>history\n\`\`\`python\n${before}\n\`\`\`<|im_end|>`);
  expect(prompts[0]).not.toContain("\r");
  const without = await run(["edit", ".", "-i", "Go.", "--dry-run", "--history", "none"]);
  expect(without.prompts[0]).not.toContain("history");
});

test("line ends and byte order mark of the file survive", async () => {
  await writeFile(main, "\uFEFFdef greet():\r\n    return 1\r\n");
  await run(edit("--yes"));
  expect(await readFile(main, "utf8")).toBe("\uFEFFdef greet():\r\n    return 2\r\n");
});

test("files that cannot be edited, and command lines that make no sense, say so", async () => {
  expect(await run(edit("--server-url", "localhost"))).toMatchObject({
    code: 2,
    err: expect.stringContaining("begins with http"),
  });
  const aimless = await run(["edit", ".", "--history", "none"]);
  expect(aimless).toMatchObject({ code: 2, err: expect.stringContaining("say what to change with -i") });
  await writeFile(main, Buffer.from([0xff, 0xfe, 0x41]));
  expect(await run(edit("--yes"))).toMatchObject({ code: 1, err: expect.stringContaining("not UTF-8") });
  expect(await run(["edit", "nowhere"])).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
  expect(await run(["edit", ".", "gone.py"])).toMatchObject({ code: 2, err: expect.stringContaining("is not a file") });
  expect(await run(["edit", "hello"])).toMatchObject({ code: 2, err: expect.stringContaining("no NAME/main.py") });
  expect(await run(["edit", ".", "--format", "xx"])).toMatchObject({ code: 2 });
  expect(await run(["edit"])).toMatchObject({ code: 2, err: expect.stringContaining("missing required argument") });
});

test("nobody at the server's address ends with code 3", async () => {
  const { code, err } = await run(edit("--server-url", "http://127.0.0.1:1"), [], {});
  expect(err).toContain("No model server answers");
  expect(code).toBe(3);
});

test("Ctrl-C while the model answers ends quietly and writes nothing", async () => {
  const stop = new AbortController();
  const answerTo = async () => {
    stop.abort(new Error("Interrupted."));
    return good;
  };
  const server = await startReplayServer({ answerTo });
  const terminal = fakeTerminal({ env: { ...env, ROBOT_MODEL_URL: server.url }, cwd: app, signal: stop.signal });
  await runProgram(edit("--yes"), "0.0.0", terminal);
  await server.close();
  expect(terminal.written).toMatchObject({ code: 130, out: "" });
  expect(await readFile(main, "utf8")).toBe(before);
});
