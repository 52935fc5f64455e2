import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFiles } from "./read-files.ts";

test("only UTF-8 text is read, so that nothing is written in another encoding than it had", async () => {
  const folder = mkdtempSync(join(tmpdir(), "read-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "utf-8.md"), "\ufeffé\n");
  writeFileSync(join(folder, "windows-1252.md"), Buffer.from("é\n", "latin1"));
  writeFileSync(join(folder, "nul.bin"), "a\0b");
  const files = await readFiles(folder, new AbortController().signal);
  expect([...files]).toEqual([
    ["nul.bin", null],
    ["utf-8.md", "\ufeffé\n"],
    ["windows-1252.md", null],
  ]);
});
