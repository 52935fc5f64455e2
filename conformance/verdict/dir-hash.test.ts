import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dirHashOf } from "./dir-hash.ts";

function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "robot-dir-hash-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "main.py"), "print()\n");
  return folder;
}

test.each([
  ["a symbolic link", (folder: string) => symlinkSync("main.py", join(folder, "other.py")), /^other\.py is a symbolic/],
  ["a pipe", (folder: string) => void execFileSync("mkfifo", [join(folder, "pipe")]), /^pipe is neither a file nor/],
  [
    "a name that looks like the line of another file",
    (folder: string) => writeFileSync(join(folder, `a\n${"0".repeat(64)}  b.py`), "1"),
    /line break: rename the file/,
  ],
])("%s is refused", async (_, add, message) => {
  const folder = project();
  add(folder);
  await expect(dirHashOf(folder)).rejects.toMatchObject({
    code: "bad-request",
    message: expect.stringMatching(message),
  });
});
