import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readApp } from "../check/check-app.ts";
import { digestFiles, type FileDigests, requireUnchanged, withGeneratedFiles } from "./checked-files.ts";

const signal = new AbortController().signal;
let folder = "";
let checked: FileDigests;

beforeEach(async () => {
  folder = temporaryFolder("checked-");
  await put("main.py", "a = 1\n");
  await put("index.html", "<p></p>");
  await put("sound.wav", "RIFF\0");
  await put(".gitignore", "ignored.txt\n");
  checked = await digestFiles(folder, await readApp(folder, signal), signal);
});

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

test.each([
  ["a text", "main.py", () => appendFile(path.join(folder, "main.py"), "b = 2\n")],
  ["a binary file of the same size", "sound.wav", () => put("sound.wav", "RIFX\0")],
  ["a new file", "key.pem", () => put("key.pem", "")],
  ["a file that is removed", "main.py", () => rm(path.join(folder, "main.py"))],
])("%s is named", async (_, file, change) => {
  await expect(requireUnchanged(folder, checked, signal)).resolves.toBeUndefined();
  await change();
  await expect(requireUnchanged(folder, checked, signal)).rejects.toMatchObject({
    code: "publish-refused",
    message: `Not published: ${file} changed after the check. Publish again, which checks the new state.`,
  });
});

test("files that are not published may change", async () => {
  await put("ignored.txt", "x");
  await put(".git/HEAD", "x");
  await expect(requireUnchanged(folder, checked, signal)).resolves.toBeUndefined();
});

test("only what publish itself writes is added to the checked files", async () => {
  await put("index.html", "<p>certified</p>");
  await put("robot-app-verdict/verdict.json", "{}");
  const published = await withGeneratedFiles(folder, checked, signal);
  await expect(requireUnchanged(folder, published, signal)).resolves.toBeUndefined();
  await put("main.py", "a = 2\n");
  await expect(requireUnchanged(folder, published, signal)).rejects.toThrow("main.py changed");
  expect(await withGeneratedFiles(folder, checked, signal)).toEqual(published);
});
