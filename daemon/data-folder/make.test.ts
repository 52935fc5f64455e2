import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDataDir } from "./make.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "data-dir-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the data folder is made with the folders above it, and one that is there stays", () => {
  makeDataDir(join(folder, "a/b"));
  makeDataDir(join(folder, "a/b"));
  expect(existsSync(join(folder, "a/b"))).toBe(true);
});

test("a file in its place is told with its path and what to do", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(() => makeDataDir(file)).toThrow(
    `The data folder ${file} cannot be made or written to (EEXIST); name another with --data-dir.`,
  );
});
