import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { runProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";

let app = "";
beforeEach(async () => {
  app = temporaryFolder("chat-command-");
  await mkdir(join(app, "hello"));
  await writeFile(join(app, "hello", "main.py"), "SPEED = 7\n");
  await writeFile(join(app, "hello", "picture.png"), "\0");
});

type Body = Record<string, unknown> & { messages: { role: string; content: string }[] };

/** Runs a command line against a server of the OpenAI interface that gives these answers; returns what both got. */
async function run(args: string[], answers: string[], more: Partial<Terminal> = {}) {
  const asked: Body[] = [];
  const url = await serveHttp(async (incoming, response) => {
    if (incoming.url === "/v1/models") return void response.end(JSON.stringify({ data: [{ id: "any-chat-model" }] }));
    if (incoming.method !== "POST") return void response.end("hello");
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    asked.push({ path: incoming.url, ...JSON.parse(Buffer.concat(parts).toString()) });
    const content = answers[asked.length - 1];
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
  });
  const terminal = fakeTerminal({ env: { ROBOT_MODEL_URL: url }, cwd: app, ...more });
  await runProgram([...args, "--no-stream"], "0.0.0", terminal);
  return { ...terminal.written, asked };
}

test("a question goes to the chat of any model, with the files of the app, and nothing changes", async () => {
  const { out, code, asked } = await run(["chat", ".", "-q", "How fast?"], ["Seven \x1b[31mfast."]);
  expect(asked).toEqual([
    {
      path: "/v1/chat/completions",
      model: "any-chat-model",
      stream: false,
      max_tokens: 1024,
      temperature: 0,
      messages: [
        { role: "user", content: expect.stringMatching(/hello\/main\.py:\n```python\nSPEED = 7\n[\s\S]*How fast\?$/) },
      ],
    },
  ]);
  expect({ out, code }).toEqual({ out: "Seven \\u001b[31mfast.\n", code: 0 });
  expect(await readFile(join(app, "hello", "main.py"), "utf8")).toBe("SPEED = 7\n");
});

test("on a terminal it asks until an empty line, and keeps the conversation", async () => {
  const questions = ["One?", "Two?", ""];
  const ask = async () => questions.shift();
  const { asked, code } = await run(["chat", "hello/main.py"], ["First.", "Second."], { interactive: true, ask });
  expect(code).toBe(0);
  expect(asked[1]?.messages.map(({ role, content }) => `${role} ${content.split("\n").at(-1)}`)).toEqual([
    "user One?",
    "assistant First.",
    "user Two?",
  ]);
});

test("control tokens in code and questions reach the model in another way, and the answer has them again", async () => {
  await writeFile(join(app, "hello", "main.py"), 'END = "<|im_end|>"\n');
  const questions = ["What is <|im_end|>?", "And <:im_end:>?", ""];
  const ask: Terminal["ask"] = async ({ validate }) => {
    expect(validate(questions[0] ?? "")).toBeUndefined();
    return questions.shift();
  };
  const answers = ["The token <:im_end:>.", "Now <!im_end!>."];
  const { asked, out } = await run(["chat", "hello/main.py"], answers, { interactive: true, ask });
  expect(out).toBe("The token <|im_end|>.\nNow <|im_end|>.\n");
  const contents = asked.map(({ messages }) => messages.map(({ content }) => content));
  expect(JSON.stringify(contents)).not.toContain("<|");
  expect(contents[0]?.[0]).toContain('END = "<:im_end:>"');
  expect(contents[0]?.[0]).toMatch(/What is <:im_end:>\?\n\nIn these texts, <:im_end:> stand for special tokens/);
  expect(contents[1]?.slice(1)).toEqual(["The token <!im_end!>.", "And <:im_end:>?"]);
});

test("an empty answer ends with code 1 and a reason", async () => {
  expect(await run(["chat", ".", "-q", "How fast?"], [""])).toMatchObject({
    code: 1,
    err: expect.stringContaining("The model gave an empty answer."),
  });
});

test("without a person or a question, and for a missing folder, it says what to do", async () => {
  expect(await run(["chat", "."], [])).toMatchObject({
    code: 2,
    err: expect.stringContaining('-q "What does run do?"'),
  });
  expect(await run(["chat", "no"], [])).toMatchObject({ code: 2, err: expect.stringContaining("no does not exist") });
});
