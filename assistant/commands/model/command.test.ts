import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { PROBE_SAMPLE } from "../../edit/model/probe.ts";
import { serverClient } from "../../edit/model/server-client.ts";
import { renderPrompt } from "../../edit/prompt/render-prompt.ts";
import { TEMPLATES } from "../../edit/prompt/template.ts";
import { replay } from "../../edit/testing/models/replay.ts";
import { runProgram } from "../../program.ts";
import { fakeTerminal } from "../../testing/fake-terminal.ts";

const prompt = renderPrompt(PROBE_SAMPLE, { format: "wf" });
const answer = "```python\nx = 1\n```<|next_end|><|im_end|>";

async function run(...args: string[]) {
  const terminal = fakeTerminal();
  await runProgram(["model", ...args], "0.0.0", terminal);
  return terminal.written;
}

test("a server that keeps control tokens is usable", async () => {
  const { url } = await replay({ [prompt]: answer });
  const { out, code } = await run("probe", "--server-url", url);
  expect(out).toContain(`${url} is vLLM with replay (wf)`);
  expect(out).toContain("yes  control tokens arrive");
  expect(out).toContain("Edits will work");
  expect(code).toBe(0);
  expect(JSON.parse((await run("probe", "--server-url", url, "--json")).out)).toMatchObject({
    usable: true,
    findings: [{ answer: "yes" }, { answer: "unknown" }, {}, { answer: "unknown" }],
  });
});

test("a server that removes control tokens is not usable, and the output names the flag to change", async () => {
  const url = await serveHttp((request, response) => {
    response.setHeader("Server", "llama.cpp");
    response.setHeader("Content-Type", "application/json");
    const answers: Record<string, unknown> = {
      "/v1/models": { data: [{ id: "m-LC", owned_by: "llamacpp" }] },
      "/v1/completions": { choices: [{ text: "", finish_reason: "stop" }] },
      "/tokenize": { tokens: [1, 2, 3] },
      "/apply-template": { prompt: "[INST]" },
    };
    const found = answers[request.url ?? ""];
    response.writeHead(found ? 200 : 400).end(JSON.stringify(found ?? { error: { message: "Unknown role: current" } }));
  });
  const { out, code } = await run("probe", "--server-url", url);
  expect(out).toContain("is llama.cpp with m-LC (lc)");
  expect(out).toContain("to change it: llama-server --special");
  expect(out).toContain("makes 3 token(s)");
  expect(out).toContain("Unknown role: current");
  expect(out).toContain("--chat-template-file");
  expect(code).toBe(1);
});

test("the robot daemon is not mistaken for a model server", async () => {
  const url = await serveHttp((request, response) => {
    const known = request.url === "/api/daemon/status";
    response.writeHead(known ? 200 : 404).end(JSON.stringify(known ? { robot_name: "robot" } : {}));
  });
  expect(await run("probe", "--server-url", url)).toMatchObject({
    code: 3,
    err: expect.stringContaining("is the robot daemon"),
  });
  expect((await run("probe", "--server-url", "http://127.0.0.1:1")).code).toBe(3);
});

test("the chat template is printed for servers that take a file", async () => {
  expect((await run("template")).out).toBe(`${TEMPLATES["assistant-conversation"]}\n`);
  expect((await run("template", "nope")).code).toBe(2);
});

/** Runs `model serve` until the work with its address is done. */
async function served<T>(args: string[], work: (url: string) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let ended = Promise.resolve();
  const url = await new Promise<string>((resolve, reject) => {
    const out = (text: string) => resolve(/http:\S+/.exec(text)?.[0] ?? text);
    const terminal = fakeTerminal({ signal: stop.signal, out });
    ended = runProgram(["model", "serve", "--port", "0", ...args], "0.0.0", terminal);
    ended.then(() => reject(new Error(terminal.written.err)), reject);
  });
  try {
    return await work(url);
  } finally {
    stop.abort();
    await ended;
  }
}

const complete = (serverUrl: string, prompted: string) =>
  serverClient({ serverUrl, model: "m", profile: "vllm", retries: 0 }).complete({
    ...{ messages: [], prompt: prompted, explain: true, maxTokens: 100 },
  });

test("recorded answers are served, with faults on request, and new answers are recorded", async () => {
  const folder = temporaryFolder("transcripts-");
  const path = join(folder, "probe.json");
  await writeFile(path, JSON.stringify({ title: "Probe", prompt, response: answer }));
  await served(["--transcripts", folder], async (url) => {
    expect((await complete(url, prompt)).text).toBe(answer);
    await expect(complete(url, "unheard of")).rejects.toThrow(/No transcript has this prompt/);
  });
  await served(["--transcripts", folder, "--fault", "500", "--fault-count", "1"], async (url) => {
    await expect(complete(url, prompt)).rejects.toThrow(/engine died/);
    expect((await complete(url, prompt)).text).toBe(answer);
  });
  const { url: real } = await replay({ "another prompt": "Yes.<|im_end|>" });
  await served(["--transcripts", folder, "--record", real, "--profile", "vllm"], async (url) => {
    expect((await complete(url, "another prompt")).text).toBe("Yes.<|im_end|>");
  });
  expect(await readdir(folder)).toHaveLength(2);
  await served(["--transcripts", folder], async (url) => {
    expect((await complete(url, "another prompt")).text).toBe("Yes.<|im_end|>");
  });
  await served(["--transcripts", folder], async (url) => {
    const taken = served(["--transcripts", folder, "--port", new URL(url).port], async () => {});
    await expect(taken).rejects.toThrow(/Port \d+ is taken/);
  });
  await writeFile(path, "{}");
  await expect(served(["--transcripts", folder], async () => {})).rejects.toThrow(
    /probe\.json: transcript\.title is missing/,
  );
  await expect(served(["--transcripts", path], async () => {})).rejects.toThrow(/is not a folder that can be read/);
});
