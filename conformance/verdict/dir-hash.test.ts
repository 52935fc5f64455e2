import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { dirHashOf } from "./dir-hash.ts";

function project(): string {
  const folder = temporaryFolder("robot-dir-hash-");
  writeFileSync(join(folder, "main.py"), "print()\n");
  return folder;
}

test.each([
  [
    "a link out of the folder",
    (folder: string) => symlinkSync("/etc/hosts", join(folder, "a")),
    /^a is .* to \/etc\/hosts,/,
  ],
  ["a link to nothing", (folder: string) => symlinkSync("b", join(folder, "a")), /^a is a symbolic link to b, which/],
  [
    "a link to a folder around it",
    (folder: string) => symlinkSync(".", join(folder, "a")),
    /^a is a symbolic link to \./,
  ],
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

test("links inside the folder are covered as what they lead to, as find -L does it", async () => {
  const folder = project();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/page.md"), "# Page\n");
  symlinkSync("main.py", join(folder, "other.py"));
  symlinkSync(join(folder, "docs"), join(folder, "pages"));
  const command = "find -L . -type f | cut -c3- | LC_ALL=C sort | xargs -r sha256sum | sha256sum | cut -f1 -d' '";
  const before = await dirHashOf(folder);
  expect(before).toBe(execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" }).trim());
  writeFileSync(join(folder, "docs/page.md"), "# Another\n");
  expect(await dirHashOf(folder)).not.toBe(before);
});
