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

describe("without --instruct or --format", () => {
  const CHAT_ANSWER =
    "<|next_start|>```python\n    return 1\n<|search_and_replace|>\n    return 2\n```<|next_end|>\nDone.";

  /** A server whose model was trained for edits, or was not; counts its requests by kind. */
  async function modelServer(state: { isTrained: boolean; status?: number; answer?: string }) {
    const asked: string[] = [];
    const limits: number[] = [];
    const url = await serveHttp(async (request, response) => {
      if (request.url === "/v1/models") return response.end('{"data": [{"id": "m", "owned_by": "vllm"}]}');
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || "{}");
      const isProbe = body.max_tokens === 8;
      asked.push(isProbe ? "probe" : body.messages ? "chat" : "trained");
      limits.push(body.max_tokens);
      if (state.status === 0) return response.destroy();
      response.statusCode = state.status ?? 200;
      if (body.messages) {
        const message = { content: state.isTrained ? "" : (state.answer ?? CHAT_ANSWER) };
        return response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }] }));
      }
      const text = state.isTrained ? (isProbe ? "<|next_end|>" : ANSWER) : "Sure! What next?";
      return response.end(JSON.stringify({ choices: [{ text, finish_reason: "stop" }] }));
    });
    const run = async (...more: string[]) => {
      asked.length = 0;
      const args = ["--dry-run", "--no-stream", "--retries", "0", "--server-url", url, ...more];
      return { ...(await app.run(edit(...args))), asked: [...asked] };
    };
    /** As `run`, with a command line of its own. */
    const runOther = async (...args: string[]) => {
      asked.length = 0;
      return { ...(await app.run([...args, "--no-stream", "--retries", "0", "--server-url", url])), asked: [...asked] };
    };
    return { run, runOther, url, limits };
  }

  test("a model of another name is asked once whether it was trained for edits, and the answer is remembered", async () => {
    const chat = await modelServer({ isTrained: false });
    expect(await chat.run()).toMatchObject({
      ...{ code: 0, asked: ["probe", "chat"] },
      err: expect.stringContaining("m was not trained for edits: it gets the format as instructions (--no-instruct"),
    });
    const again = await chat.run();
    expect(again).toMatchObject({
      code: 0,
      asked: ["chat"],
      err: expect.stringContaining("m (sr, with instructions)"),
    });
    const trained = await modelServer({ isTrained: true });
    expect(await trained.run()).toMatchObject({ code: 0, asked: ["probe", "trained"] });
    expect(JSON.parse((await trained.run("--json")).out)).toMatchObject({ status: "applied", instruct: false });
  });

  test("an edit that fails by a wrong memory asks the model anew, and once more for the edit", async () => {
    const state = { isTrained: true };
    const { run } = await modelServer(state);
    await run();
    state.isTrained = false;
    expect(await run()).toMatchObject({ code: 0, asked: ["trained", "probe", "chat"] });
    expect(await run()).toMatchObject({ code: 0, asked: ["chat"] });
    state.isTrained = true;
    expect(await run()).toMatchObject({ code: 0, asked: ["chat", "probe", "trained"] });
    expect(await run()).toMatchObject({ code: 0, asked: ["trained"] });
  });

  test("a question that fails says nothing about the model: the error is that of the edit, and nothing is remembered", async () => {
    const state: Parameters<typeof modelServer>[0] = { isTrained: true };
    const { run } = await modelServer(state);
    await run();
    state.status = 500;
    const failed = await run();
    expect(failed).toMatchObject({ code: 3, asked: ["trained", "probe"] });
    expect(failed.err).not.toContain("trained for edits");
    state.status = 200;
    expect(await run()).toMatchObject({ code: 0, asked: ["trained"] });
  });

  test("an edit that fails because the server is gone says nothing about the model", async () => {
    const state: Parameters<typeof modelServer>[0] = { isTrained: true };
    const { run } = await modelServer(state);
    await run();
    state.status = 0;
    expect(await run()).toMatchObject({ code: 3, asked: ["trained"] });
  });

  test("each model of a server has its own memory", async () => {
    const { run } = await modelServer({ isTrained: false });
    expect((await run("--model", "one")).asked).toEqual(["probe", "chat"]);
    expect((await run("--model", "two")).asked).toEqual(["probe", "chat"]);
    expect((await run("--model", "one")).asked).toEqual(["chat"]);
  });

  test("the token limit of an answer grows with the text of a whole file, and with the number of files", async () => {
    await writeFile(app.main, `${BEFORE}# ${"x".repeat(6000)}\n`);
    await writeFile(join(app.folder, "hello", "moves.py"), "");
    const { run, runOther, limits } = await modelServer({ isTrained: false });
    await run("--instruct", "--format", "wf");
    await run("--instruct");
    await runOther("edit", ".", "main.py", "moves.py", "-i", "Go.", "--dry-run");
    expect(limits).toEqual([Math.ceil((BEFORE.length + 6003) / 2), 2048, 4096]);
  });

  test("a model whose first question fails gets instructions, and is asked again by the next command", async () => {
    const state = { isTrained: true, status: 500 };
    const { run } = await modelServer(state);
    expect(await run()).toMatchObject({
      code: 3,
      asked: ["probe", "chat"],
      err: expect.stringContaining(
        "m did not say whether it was trained for edits: it gets the format as instructions",
      ),
    });
    state.status = 200;
    expect(await run()).toMatchObject({ code: 0, asked: ["probe", "trained"] });
  });

  test("a command whose edits are refused asks once whether its memory is right", async () => {
    const chat = await modelServer({ isTrained: false, answer: "I cannot." });
    await writeFile(join(app.folder, "README.md"), "---\ntags: []\n---\n");
    await writeFile(join(app.folder, "hello", "main.py"), "import nowhere\n");
    const fix = () => chat.runOther("edit", ".", "--fix-findings", "--dry-run");
    expect((await fix()).asked).toEqual(["probe", "chat", "chat"]);
    expect((await fix()).asked).toEqual(["chat", "probe", "chat"]);
  });

  test("the choice is made by --instruct, --no-instruct, --format and the model's name without a question", async () => {
    const { run } = await modelServer({ isTrained: false });
    expect((await run("--instruct")).asked).toEqual(["chat"]);
    for (const more of [
      ["--no-instruct"],
      ["--format", "wf"],
      ["--api", "completions"],
      ["--model", "CursorCore-1.5B"],
      ["--model", "mine-SR"],
    ])
      expect((await run(...more)).asked).toEqual(["trained"]);
  });

  test("model probe shows an edit with the server and the model that it was given, and escapes their texts", async () => {
    const { url } = await modelServer({ isTrained: true });
    const { out } = await app.run(["model", "probe", "--server-url", url, "--model", "\u001b[31mred"]);
    expect(out).toContain(`edit APP -i "..." --server-url ${url} --model \\u001b[31mred`);
    expect(out).not.toContain("\u001b");
  });

  test("model probe writes the memory", async () => {
    const { run, url } = await modelServer({ isTrained: false });
    await app.run(["model", "probe", "--server-url", url]);
    expect((await run()).asked).toEqual(["chat"]);
    const trained = await modelServer({ isTrained: true });
    await app.run(["model", "probe", "--server-url", trained.url]);
    expect((await trained.run()).asked).toEqual(["trained"]);
  });

  test("model probe whose question fails leaves the memory as it is", async () => {
    const state: Parameters<typeof modelServer>[0] = { isTrained: true };
    const { run, url } = await modelServer(state);
    await run();
    for (const status of [500, 401, 404]) {
      state.status = status;
      await app.run(["model", "probe", "--server-url", url]);
      state.status = 200;
      expect((await run()).asked).toEqual(status === 404 ? ["chat", "probe", "trained"] : ["trained"]);
    }
  });

  test("a memory that cannot be read or written costs a question", async () => {
    await writeFile(join(app.folder, "state"), "a file in the place of the folder");
    const { run } = await modelServer({ isTrained: false });
    for (let time = 0; time < 2; time += 1) expect((await run()).asked).toEqual(["probe", "chat"]);
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
