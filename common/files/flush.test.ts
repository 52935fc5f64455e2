import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { flushEntry, flushTree } from "./flush.ts";

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder("flush-");
});

test("flushes a folder with the system's sync program", async () => {
  const program = path.join(folder, "sync");
  await writeFile(program, '#!/bin/sh\necho "$@" > "$2/arguments"\n');
  await chmod(program, 0o755);
  await flushTree(folder, program);
  expect(await readFile(path.join(folder, "arguments"), "utf8")).toBe(`--file-system ${folder}\n`);
  await flushTree(folder);
});

test("flushes file by file where there is no sync program, links and folders included", async () => {
  await mkdir(path.join(folder, "a/b"), { recursive: true });
  for (let n = 0; n < 40; n += 1) await writeFile(path.join(folder, `a/b/${n}`), "");
  await symlink("nowhere", path.join(folder, "a/link"));
  await flushTree(folder, path.join(folder, "no-such-program"));
  await expect(flushEntry(path.join(folder, "a/link"))).rejects.toMatchObject({ code: "ENOENT" });
});
