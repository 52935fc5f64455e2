import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { startReplayServer } from "../../edit/model/replay/server.ts";
import { runProgram } from "../../program.ts";
import type { Terminal } from "../../terminal.ts";
import { fakeTerminal } from "../../testing/fake-terminal.ts";

/** An app's main.py that passes its check, with this greeting. */
const mainWith = (greeting: string) => `from robot_sdk import RobotApp


class Hello(RobotApp):
    def run(self, robot, stop_event):
        stop_event.wait(greet())


def greet():
    return ${greeting}


if __name__ == "__main__":
    app = Hello()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;
const before = mainWith("1");
const after = mainWith("2");
const good = `\`\`\`python\n${after}\n\`\`\`<|next_end|>\nTwo is \x1b[31mmore.<|im_end|>`;
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
  await writeFile(join(app, "hello", "__init__.py"), "");
  await writeFile(join(app, "index.html"), "<p>Hello</p>\n");
  await writeFile(join(app, "style.css"), "p {}\n");
  await writeFile(join(app, "README.md"), "---\ntags:\n  - robot_python_app\n---\n");
  await writeFile(
    join(app, "pyproject.toml"),
    '[project]\nname = "hello"\n\n[project.entry-points.robot_apps]\nhello = "hello.main:Hello"\n',
  );
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

test("an edit is shown, confirmed, applied and checked", async () => {
  const { out, code, questions } = await run(edit(), [good], { answer: true });
  expect(out).toContain("-    return 1\n+    return 2\n");
  expect(out).toContain("Two is \\u001b[31mmore.");
  expect(questions).toEqual(["Apply this edit?"]);
  expect(await readFile(main, "utf8")).toBe(after);
  expect(out).toContain("This is a robot app: ");
  expect(code).toBe(0);
});

test("an edit that is not confirmed is not written", async () => {
  const { err, code } = await run(edit());
  expect(await readFile(main, "utf8")).toBe(before);
  expect(err).toContain("--yes");
  expect(code).toBe(1);
  expect((await run(edit("--dry-run"))).code).toBe(0);
  expect(await readFile(main, "utf8")).toBe(before);
});

test("--json writes one object", async () => {
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

test("a refusal is sent back to the model without control tokens; the last one ends with code 1", async () => {
  const { prompts, out, code, err } = await run(edit("--yes", "--no-check"), ["```python\ndef gr", good]);
  expect(prompts[1]).toContain("Your last answer was not applied.");
  expect(prompts[1]).toContain("has no next_end");
  expect(err).toContain("Refused, asking again.");
  expect(out).toContain("Applied to hello/main.py");
  expect(code).toBe(0);
  const refused = await run(edit("--yes", "--json", "--retries", "0"), ["```python\ndef f(:\n```<|next_end|>"]);
  expect(JSON.parse(refused.out)).toMatchObject({ status: "refused", code: "new-syntax-error", written: false });
  expect(refused.code).toBe(1);
  expect(await readFile(main, "utf8")).toBe(after);
});

test("an edit can be undone while the file is unchanged, and is history for the next edit", async () => {
  await run(edit("--yes"));
  const next = await run(["edit", "hello/main.py", "--dry-run"], ["```python\n```<|next_end|>"]);
  expect(next.prompts[0]).toContain(`<|im_start|>history\n\`\`\`python\n${before}\n\`\`\`<|im_end|>`);
  expect((await run(["edit", ".", "--undo"])).out).toContain("+    return 1");
  expect(await readFile(main, "utf8")).toBe(before);
  expect((await run(["edit", ".", "--undo"])).err).toContain("no edit to undo");
  await run(edit("--yes"));
  await writeFile(main, "x = 1\n");
  expect((await run(["edit", ".", "--undo"])).err).toContain("has changed since");
});

test("the committed versions are history", async () => {
  const git = (...args: string[]) => execa("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: app });
  await git("init", "-q");
  await git("add", ".");
  await git("commit", "-qm", "one");
  await writeFile(main, before.replace("greet():", "greet(name=1):").replaceAll("\n", "\r\n"));
  const { prompts } = await run(["edit", ".", "--dry-run"], [good]);
  expect(prompts[0]).toContain(`<|im_start|>history\n\`\`\`python\n${before}\n\`\`\`<|im_end|>`);
  expect(prompts[0]).not.toContain("\r");
  const without = await run(["edit", ".", "-i", "Go.", "--dry-run", "--history", "none"]);
  expect(without.prompts[0]).not.toContain("history");
});

test("line ends and byte order mark of the file are kept", async () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
  await writeFile(main, windows(before));
  await run(edit("--yes"));
  expect(await readFile(main, "utf8")).toBe(windows(after));
});

test("files that cannot be edited and invalid command lines are refused with a reason", async () => {
  expect(await run(edit("--server-url", "localhost"))).toMatchObject({
    code: 2,
    err: expect.stringContaining("begins with http"),
  });
  const aimless = await run(["edit", ".", "--history", "none"]);
  expect(aimless).toMatchObject({ code: 2, err: expect.stringContaining("say what to change with -i") });
  await writeFile(main, Buffer.from([0xff, 0xfe, 0x41]));
  expect(await run(edit("--yes"))).toMatchObject({ code: 1, err: expect.stringContaining("not UTF-8") });
  expect(await run(["edit", "nowhere"])).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
  expect(await run(["edit", ".", "gone.py"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("has no gone.py"),
  });
  expect(await run(["edit", "hello"])).toMatchObject({ code: 2, err: expect.stringContaining("no NAME/main.py") });
  expect(await run(["edit", ".", "--format", "xx"])).toMatchObject({ code: 2 });
  expect(await run(["edit"])).toMatchObject({ code: 2, err: expect.stringContaining("missing required argument") });
});

test("a server that does not answer ends with code 3", async () => {
  const { code, err } = await run(edit("--server-url", "http://127.0.0.1:1"), [], {});
  expect(err).toContain("No model server answers");
  expect(code).toBe(3);
});

test("Ctrl-C while the model answers ends without output and writes nothing", async () => {
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

test("a file is found by its path inside the app's package", async () => {
  const moves = join(app, "hello", "moves.py");
  await writeFile(moves, "x = 1\n");
  const answer = "```python\nx = 2\n\n```<|next_end|>";
  expect(await run(["edit", ".", "moves.py", "-i", "Two.", "--yes", "--no-check"], [answer])).toMatchObject({
    code: 0,
  });
  expect(await readFile(moves, "utf8")).toBe("x = 2\n");
  const sameName = await run(["edit", ".", "main.py", "-i", "Two.", "--dry-run"]);
  expect(sameName).toMatchObject({ code: 0, err: expect.stringContaining("about hello/main.py") });
  await mkdir(join(app, "other"));
  await writeFile(join(app, "other", "moves.py"), "");
  expect(await run(["edit", ".", "moves.py"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("has 2 files NAME/moves.py"),
  });
});

test("a server that never answers ends with code 3 after the timeout", async () => {
  const url = await serveHttp(() => {});
  const { code, err } = await run(edit("--server-url", url, "--timeout", "1"));
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining("did not finish its answer within 1 s") });
  expect(await readFile(main, "utf8")).toBe(before);
});

test("--json has the report of the app's check", async () => {
  const broken = `\`\`\`python\n${after.replace("(RobotApp)", "")}\n\`\`\`<|next_end|>`;
  const { out, code } = await run(edit("--yes", "--json"), [broken]);
  const result = JSON.parse(out);
  expect(result).toMatchObject({ status: "applied", check: "failed", checkReport: { verdict: "not-conformant" } });
  const findings = result.checkReport.results.flatMap(({ findings: its }: { findings: unknown[] }) => its);
  expect(findings).toMatchObject([{ file: "hello/main.py", message: expect.stringContaining("must extend RobotApp") }]);
  expect(code).toBe(1);
  expect(JSON.parse((await run(edit("--dry-run", "--json"))).out)).toMatchObject({
    check: "skipped",
    checkReport: null,
  });
});

test("on a terminal the answer is shown while it arrives, and the explanation once", async () => {
  const { out, err } = await run(edit("--yes"), [good], { interactive: true });
  expect(err).toContain("def greet():\n    return 2");
  expect(err).toContain("Two is \\u001b[31mmore.");
  expect(err).not.toContain("<|next_end|>");
  expect(out).not.toContain("Two is");
  expect((await run(edit("--dry-run"), [good])).err).not.toContain("def greet");
});

test("a file is not changed when the edit could not be undone", async () => {
  await writeFile(join(app, "state"), "a file in the place of the journals");
  const { code, err } = await run(edit("--yes"));
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("The journal of edits in") });
  expect(await readFile(main, "utf8")).toBe(before);
});

test("a prompt that exceeds the model's context is shortened, and the output says so", async () => {
  await run(edit("--yes"));
  await run(edit("--yes"), [good.replace("return 2", "return 3")]);
  const requests: { prompt: string; max_tokens: number }[] = [];
  const url = await serveHttp(async (request, response) => {
    response.setHeader("Content-Type", "application/json");
    if (request.method === "GET" && request.url !== "/v1/models") return response.writeHead(404).end();
    if (request.method === "GET") return response.end('{"data": [{"id": "m", "owned_by": "vllm"}]}');
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    requests.push(body);
    if (body.prompt.includes("history") || body.max_tokens > 1500) {
      const message = "This model's maximum context length is 2048 tokens. However, you requested 4198 tokens.";
      return response.writeHead(400).end(JSON.stringify({ error: { message } }));
    }
    const choices = [{ text: good.replace("return 2", "return 4"), finish_reason: "stop" }];
    return response.end(JSON.stringify({ choices }));
  });
  const { err, code } = await run(edit("--yes", "--no-stream", "--server-url", url));
  expect({ code, shortened: err.match(/Asking again .*/g) }).toEqual({
    code: 0,
    shortened: [
      "Asking again without the oldest of 2 older version(s).",
      "Asking again without the oldest of 1 older version(s).",
      "Asking again for an answer of at most 1024 tokens.",
    ],
  });
  expect(requests).toHaveLength(4);
  expect(await readFile(main, "utf8")).toBe(after.replace("return 2", "return 4"));
});

test("files of --context reach the model, and only the file that is edited changes", async () => {
  await writeFile(join(app, "hello", "motion.py"), "SPEED = 7\n");
  const { prompts, code } = await run(edit("--yes", "--no-check", "--context", "hello/motion.py"));
  expect(code).toBe(0);
  expect(prompts[0]).toContain("do not change them.\n\nhello/motion.py:\n```python\nSPEED = 7\n");
  expect(await readFile(main, "utf8")).toBe(after);
  expect(await readFile(join(app, "hello", "motion.py"), "utf8")).toBe("SPEED = 7\n");
  await writeFile(join(app, "hello", "long.py"), "x = 1\n".repeat(20_000));
  const refused = await run(edit("--yes", "--context", "hello"));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("Name fewer files with --context.") });
});

test("--fix-findings sends the findings of a file as its instruction, and checks the app at the end", async () => {
  const readme = join(app, "README.md");
  await writeFile(readme, "---\ntags: []\n---\n");
  const fixed = "---\ntags:\n  - robot_python_app\n---\n";
  const { prompts, out, code } = await run(
    ["edit", ".", "--fix-findings", "--yes"],
    [`\`\`\`markdown\n${fixed}\n\`\`\`<|next_end|>`],
  );
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toMatch(/Fix them and nothing else\.\n- .*robot_python_app.*\(PKG-004\)/);
  expect(await readFile(readme, "utf8")).toBe(fixed);
  expect(out).toContain("This is a robot app");
  expect(code).toBe(0);
  expect(await run(["edit", ".", "--fix-findings", "--yes"])).toMatchObject({ code: 0, prompts: [] });
});

test("--traceback sends a traceback to the file of the app where it ends", async () => {
  const log = `12:00 started
[hello] Traceback (most recent call last):
[hello]   File "/usr/lib/python3.11/threading.py", line 10, in run
[hello]   File "/data/apps_venv/lib/python3.11/site-packages/hello/main.py", line 10, in greet
[hello]     return 1 / 0
[hello] ZeroDivisionError: division by zero
[hello] another line
`;
  const { prompts, code } = await run(["edit", ".", "--traceback", "-", "--yes"], [good], { input: log } as object);
  expect(prompts[0]).toContain("near line 10. Fix it and nothing else.\nTraceback (most recent call last):\n");
  expect(prompts[0]).toContain("ZeroDivisionError: division by zero");
  expect(prompts[0]).not.toContain("another line");
  expect(await readFile(main, "utf8")).toBe(after);
  expect(code).toBe(0);
  const without = await run(["edit", ".", "--traceback", "-", "--yes"], [good], { input: "all is well\n" } as object);
  expect(without).toMatchObject({ code: 2, err: expect.stringContaining("has no traceback with a line of") });
});
