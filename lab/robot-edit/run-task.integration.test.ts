import { expect, test } from "vitest";
import { serverClient } from "../../edit/model/server-client.ts";
import { startChatServer } from "../../edit/testing/chat-server.ts";
import { startReplayServer } from "../../edit/testing/replay/server.ts";
import { digestOfTask, type PromptFormat, runTask } from "./run-task.ts";
import { formatTable, type Row } from "./table.ts";

const block = (search: string, replacement: string, lang: string) =>
  `\`\`\`${lang}\n${search}\n<|search_and_replace|>\n${replacement}\n\`\`\`<|next_end|>`;

/** Recorded answers by a text of the prompt: a right one, one that does not repair, and one that quotes no line of the file. */
const ANSWERS: Readonly<Record<string, string>> = {
  "does not ship that module": block("packages = []", 'packages = ["steady_app"]', "toml"),
  "writes seen.txt": block('open("seen.txt", "w").close()', 'open("noted.txt", "w").close()', "python"),
  "starts a thread": block("import nothing_of_the_kind", "", "python"),
};

const start = Date.now();
const options = { signal: new AbortController().signal, jobs: 1, now: () => Date.now() - start };

test("answers are judged by certify: a repair passes, another edit fails, one that does not fit is refused", async () => {
  const answerTo = async (prompt: string) => Object.entries(ANSWERS).find(([text]) => prompt.includes(text))?.[1];
  const server = await startReplayServer({ answerTo });
  const client = serverClient({ serverUrl: server.url, model: "recorded-SR", profile: "vllm", stream: false });
  const promptFormat: PromptFormat = { format: "sr", instruct: false };
  const rows: Row[] = [];
  try {
    for (const name of [
      "PKG-009-main-not-shipped",
      "PKG-010-writes-a-file",
      "PKG-010-starts-a-thread",
      "PKG-020-backend-of-its-own",
    ]) {
      const task = await digestOfTask(name);
      rows.push({
        name,
        model: client.model,
        ...promptFormat,
        task,
        ...(await runTask(name, { ...promptFormat, ...options, client })),
      });
    }
  } finally {
    await server.close();
  }
  expect(rows).toMatchObject([
    { outcome: "passed", detail: "", tokens: expect.any(Number) },
    { outcome: "failed", detail: expect.stringContaining("writes noted.txt") },
    { outcome: "refused", detail: expect.stringContaining("The search text is not in the file"), judged: 0 },
    { outcome: "left out", detail: expect.stringContaining("several files"), tokens: null },
  ]);
  expect(formatTable(rows)).toContain("| recorded-SR | sr | 4 | 1 | 1 | 1 | 0 | 0 | 0 | 1 | 33.3 % |");
});

test("a task of several files is asked with instructions", async () => {
  const answer =
    "<|next_start|>File: pyproject.toml\n```toml\nnothing of the kind\n<|search_and_replace|>\nx\n```<|next_end|>";
  const { url, asked } = await startChatServer([answer]);
  const client = serverClient({ serverUrl: url, model: "chat", stream: false });
  const result = await runTask("PKG-020-backend-of-its-own", { format: "wf", instruct: true, ...options, client });
  expect(result).toMatchObject({ outcome: "refused", detail: expect.stringContaining("pyproject.toml: ") });
  expect(asked[0]?.[1]?.content).toContain("File: backend.py");
});
