import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { startReplayServer } from "../../../edit/testing/replay/server.ts";
import { runProgram } from "../../program.ts";
import { fakeTerminal } from "../../testing/fake-terminal.ts";
import { AFTER, ANSWER, BEFORE, createEditedApp, type EditedApp, edit } from "./testing/edited-app.ts";

let app: EditedApp;

beforeEach(async () => {
  app = await createEditedApp();
});

test("a server that does not answer ends with code 3", async () => {
  const { code, err } = await app.run(edit("--server-url", "http://127.0.0.1:1"), [], {});
  expect(err).toContain("No model server answers");
  expect(code).toBe(3);
});

test("Ctrl-C while the model answers ends without output and writes nothing", async () => {
  const stop = new AbortController();
  const answerTo = async () => {
    stop.abort(new Error("Interrupted."));
    return ANSWER;
  };
  const server = await startReplayServer({ answerTo });
  const terminal = fakeTerminal({
    env: { ...app.env, ROBOT_MODEL_URL: server.url },
    cwd: app.folder,
    signal: stop.signal,
  });
  await runProgram(edit("--yes"), "0.0.0", terminal);
  await server.close();
  expect(terminal.written).toMatchObject({ code: 130, out: "" });
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
});

test("a server that never answers ends with code 3 after the timeout", async () => {
  const url = await serveHttp(() => {});
  const { code, err } = await app.run(edit("--server-url", url, "--timeout", "1"));
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining("did not finish its answer within 1 s") });
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
});

test("on a terminal the answer is shown while it arrives, and the explanation once", async () => {
  const { out, err } = await app.run(edit("--yes"), [ANSWER], { interactive: true });
  expect(err).toContain("def greet():\n    return 2");
  expect(err).toContain("Two is \\u001b[31mmore.");
  expect(err).not.toContain("<|next_end|>");
  expect(out).not.toContain("Two is");
  expect((await app.run(edit("--dry-run"), [ANSWER])).err).not.toContain("def greet");
});

test("--instruct asks a chat model with the format as instructions", async () => {
  const asked: { messages: { content: string }[] }[] = [];
  const url = await serveHttp(async (request, response) => {
    if (request.url === "/v1/models") return response.end('{"data": [{"id": "m", "owned_by": "vllm"}]}');
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    const block = "```python\n    return 1\n<|search_and_replace|>\n    return 2\n```";
    const message = { content: `Sure:\n<|next_start|>${block}<|next_end|>` };
    return response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }] }));
  });
  await app.run(edit("--instruct", "--yes", "--no-check", "--no-stream", "--server-url", url));
  expect(asked[0]?.messages[0]?.content).toContain("You edit one file.");
  expect(await readFile(app.main, "utf8")).toBe(AFTER);
});

describe("how a model is asked", () => {
  const CHAT_ANSWER =
    "<|next_start|>```python\n    return 1\n<|search_and_replace|>\n    return 2\n```<|next_end|>\nDone.";

  /** A server that gives an answer in the form that it is asked for; collects the bodies of its requests. */
  async function modelServer() {
    const asked: { prompt?: string; messages?: unknown; max_tokens: number }[] = [];
    const url = await serveHttp(async (request, response) => {
      if (request.url === "/v1/models") return response.end('{"data": [{"id": "mine-SR", "owned_by": "vllm"}]}');
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
      asked.push(body);
      const content = body.messages ? { message: { content: CHAT_ANSWER } } : { text: ANSWER };
      return response.end(JSON.stringify({ choices: [{ ...content, finish_reason: "stop" }] }));
    });
    const run = async (args: string[], format = "") => {
      asked.length = 0;
      const env = { ...app.env, ROBOT_MODEL_FORMAT: format };
      const model = ["--dry-run", "--no-stream", "--retries", "0", "--server-url", url];
      return { ...(await app.run([...args, ...model], [], { env })), asked: [...asked] };
    };
    return { run };
  }

  test.each([
    [[], "", "sr, with instructions"],
    [["--api", "chat"], "", "sr, with instructions"],
    [["--instruct"], "lc", "sr, with instructions"],
    [["--instruct", "--format", "wf"], "", "wf, with instructions"],
    [[], "wf", "wf"],
    [["--format", "wf"], "sr", "wf"],
    [["--no-instruct"], "", "wf"],
    [["--api", "completions"], "", "wf"],
  ])("with the options %j and ROBOT_MODEL_FORMAT=%s in %s, whatever its name is", async (more, format, how) => {
    const { err, asked } = await (await modelServer()).run(edit(...more), format);
    expect(err).toContain(`Asking mine-SR (${how}) about`);
    expect(asked.map((body) => body.messages !== undefined)).toEqual([how.endsWith("instructions")]);
  });

  test("by an unknown format not at all: the message names the variable and the formats", async () => {
    const { code, err, asked } = await (await modelServer()).run(edit(), "SR");
    expect({ code, err, asked }).toEqual({
      ...{ code: 2, asked: [] },
      err: expect.stringContaining('ROBOT_MODEL_FORMAT is "SR"; it is one of wf, lc, sr.'),
    });
  });

  test("for more tokens where the text of a whole file is long, and for several files", async () => {
    await writeFile(app.main, `${BEFORE}# ${"x".repeat(6000)}\n`);
    await writeFile(join(app.folder, "hello", "moves.py"), "");
    const { run } = await modelServer();
    const limits = [];
    for (const args of [
      edit("--instruct", "--format", "wf"),
      edit(),
      ["edit", ".", "main.py", "moves.py", "-i", "Go."],
    ])
      limits.push(...(await run(args)).asked.map((body) => body.max_tokens));
    expect(limits).toEqual([Math.ceil((BEFORE.length + 6003) / 2), 2048, 4096]);
  });
});

test("a prompt that exceeds the model's context is shortened, and the output says so", async () => {
  await app.run(edit("--yes"));
  await app.run(edit("--yes"), [ANSWER.replace("return 2", "return 3")]);
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
    const choices = [{ text: ANSWER.replace("return 2", "return 4"), finish_reason: "stop" }];
    return response.end(JSON.stringify({ choices }));
  });
  const { err, code } = await app.run(edit("--yes", "--no-stream", "--no-instruct", "--server-url", url));
  expect({ code, shortened: err.match(/Asking again .*/g) }).toEqual({
    code: 0,
    shortened: [
      "Asking again without the oldest of 2 older version(s).",
      "Asking again without the oldest of 1 older version(s).",
      "Asking again for an answer of at most 1024 tokens.",
    ],
  });
  expect(requests).toHaveLength(4);
  expect(await readFile(app.main, "utf8")).toBe(AFTER.replace("return 2", "return 4"));
});
