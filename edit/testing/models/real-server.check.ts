import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseResponse } from "../../formats/parse/parse-response.ts";
import { serverClient } from "../../model/server-client.ts";
import { prepareInputForWf } from "../../prompt/messages.ts";
import { renderPrompt } from "../../prompt/render-prompt.ts";
import { TEMPLATES } from "../../prompt/template.ts";
import { writeTinyGguf } from "./tiny-gguf.ts";

const LLAMA_SERVER = process.env.LLAMA_SERVER ?? "llama-server";
const script = ["```python\n", "x = 2", "  # two", "\n```", "<|next_end|>", "\nIt was", " one.", "<|im_end|>"];
const sample = { history: [], current: { type: "code" as const, lang: "python", code: "x = 1" }, user: "Two." };
const request = {
  messages: prepareInputForWf(sample),
  prompt: renderPrompt(sample, { format: "wf" }),
  explain: true,
  maxTokens: 50,
};
const signal = AbortSignal.timeout(60_000);
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "llama-server-"));
  await writeTinyGguf(join(folder, "tiny.gguf"), "<|next_start|>", script);
  await writeFile(join(folder, "ac.jinja"), `${TEMPLATES["assistant-conversation"]}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts llama-server with further flags for the length of some work. */
async function serving<T>(flags: string[], work: (serverUrl: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const args = ["-m", join(folder, "tiny.gguf"), "--host", "127.0.0.1", "--port", String(port), "-t", "1", ...flags];
  const running = execa(LLAMA_SERVER, args, { env: { LD_LIBRARY_PATH: dirname(LLAMA_SERVER) }, reject: false });
  const url = `http://127.0.0.1:${port}`;
  try {
    const ready = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await ready())) await wait(100, undefined, { signal });
    return await work(url);
  } finally {
    running.kill();
    await running;
  }
}

describe("llama.cpp", () => {
  test("started as in docs/serving.md, edits work", async () => {
    await serving(["--special", "--jinja", "--chat-template-file", join(folder, "ac.jinja")], async (serverUrl) => {
      for (const api of ["completions", "chat"] as const) {
        for (const stream of [true, false]) {
          const client = serverClient({ serverUrl, model: "tiny", api, stream });
          const { text } = await client.complete(request);
          expect(text).toBe(script.join(""));
          expect(parseResponse(text, { format: "wf" })).toMatchObject({
            edit: { lines: ["x = 2  # two"] },
            explanation: "It was one.",
          });
        }
      }
      const client = serverClient({ serverUrl, model: "tiny" });
      expect((await client.complete({ ...request, maxTokens: 2 })).text).toBe("```python\nx = 2");
      const stop = new AbortController();
      const stopped = client.complete(request, { signal: stop.signal, onText: () => stop.abort(new Error("Enough.")) });
      await expect(stopped).rejects.toThrow("Enough.");
    });
  });

  test("without --special no edit is applied", async () => {
    await serving([], async (serverUrl) => {
      const { text, finished } = await serverClient({ serverUrl, model: "tiny" }).complete(request);
      expect(parseResponse(text, { format: "wf", finished })).toMatchObject({ refusal: { code: "truncated" } });
    });
  });

  test("its errors have its own messages", async () => {
    await serving([], async (serverUrl) => {
      const client = serverClient({ serverUrl, model: "tiny" });
      const tooLong = { ...request, prompt: "x".repeat(20_000) };
      await expect(client.complete(tooLong)).rejects.toMatchObject({
        code: "model-failed",
        message: expect.stringContaining("context"),
      });
    });
  });
});
