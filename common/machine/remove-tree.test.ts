import { existsSync } from "node:fs";
import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { removeTree } from "./remove-tree.ts";

test("removes what is there, and does nothing where nothing is", async () => {
  const folder = temporaryFolder("robot-remove-");
  await mkdir(join(folder, "a/b"), { recursive: true });
  await writeFile(join(folder, "a/b/file"), "");
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
  await removeTree(folder);
});

test.skipIf(getuid?.() === 0)("removes read-only folders, and leaves alone what a link leads to", async () => {
  const folder = temporaryFolder("robot-remove-");
  const other = temporaryFolder("robot-other-");
  await mkdir(join(folder, "a/b"), { recursive: true });
  await writeFile(join(folder, "a/b/file"), "");
  await symlink(other, join(folder, "a/link"));
  await chmod(other, 0o500);
  for (const name of ["a/b", "a"]) await chmod(join(folder, name), 0o500);
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
  expect((await stat(other)).mode & 0o777).toBe(0o500);
});
