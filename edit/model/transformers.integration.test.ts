import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { parseResponse } from "../formats/parse/parse-response.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import { writeTinyModel } from "../testing/models/tiny-model.ts";
import { transformersFolder } from "../testing/models/transformers-package.ts";
import { loadLocalModel } from "./transformers.ts";

const script = ["```python\n", "x = 2", "  # é😀", "\n```", "<|next_end|>", "\nIt was", " one.", "<|im_end|>"];
const sample = { history: [], current: { type: "code" as const, lang: "python", code: "x = 1" }, user: "Two." };
const prompt = renderPrompt(sample, { format: "wf" });
const request = { messages: [], prompt, explain: true, maxTokens: 50 };
const folder = sharedTemporaryFolder("tiny-model-");
let cwd = "";

beforeAll(async () => {
  cwd = await transformersFolder();
  await writeTinyModel(folder, "<|next_start|>", script);
});

test("a model in this process answers like a server", async () => {
  expect((await stat(join(folder, "onnx/model.onnx"))).size).toBeLessThan(500_000);
  const model = await loadLocalModel({ folder, cwd });
  const pieces: string[] = [];
  const { text, finished } = await model.complete(request, { onText: (piece) => pieces.push(piece) });
  expect(text).toBe(script.join(""));
  expect(pieces.join("")).toBe(text);
  expect(parseResponse(text, { format: "wf", finished })).toMatchObject({
    edit: { lines: ["x = 2  # é😀"] },
    explanation: "It was one.",
  });
  await model.dispose();
});

test("it stops after the edit, at the token limit, and when aborted", async () => {
  const model = await loadLocalModel({ folder, cwd });
  const short = await model.complete({ ...request, explain: false });
  expect(parseResponse(short.text, { format: "wf" })).toMatchObject({ kind: "edit", explanation: "" });
  expect((await model.complete({ ...request, maxTokens: 2 })).text).toBe("```python\nx = 2");
  const stop = new AbortController();
  const stopped = model.complete(request, { signal: stop.signal, onText: () => stop.abort(new Error("Enough.")) });
  await expect(stopped).rejects.toThrow("Enough.");
  await model.dispose();
});

test("a missing package and a missing model are errors with the next step", async () => {
  await expect(loadLocalModel({ folder: "/nowhere", cwd })).rejects.toThrow(/holds no model: it needs config\.json/);
  const packagePlaces = [pathToFileURL(join(folder, "package.json"))];
  await expect(loadLocalModel({ folder, cwd, packagePlaces })).rejects.toThrow(
    /npm install @huggingface\/transformers/,
  );
  await rm(join(folder, "onnx"), { recursive: true });
  await expect(loadLocalModel({ folder, cwd })).rejects.toMatchObject({ code: "model-missing" });
});
