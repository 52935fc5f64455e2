import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { ensureDataDir } from "./data-dir.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder("data-dir-");
});

test("creates the data folder with its parents, and accepts one that exists", () => {
  ensureDataDir(join(folder, "a/b"));
  ensureDataDir(join(folder, "a/b"));
  expect(existsSync(join(folder, "a/b"))).toBe(true);
});

test("reports a file in its place, with the path and the remedy", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(() => ensureDataDir(file)).toThrow(
    `The data folder ${file} cannot be created or written to (EEXIST); name another with --data-dir.`,
  );
});

test("names the remedy of a command that has no option for it", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(() => ensureDataDir(file, "set XDG_DATA_HOME")).toThrow(/\(EEXIST\); set XDG_DATA_HOME\.$/);
});
