import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { readFiles, withoutIgnored } from "./read-files.ts";

test("only UTF-8 text is read, so that nothing is written in another encoding than it had", async () => {
  const folder = temporaryFolder("read-files-");
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

test("the files are those that git would publish: case counts, and a folder has rules of its own", async () => {
  const folder = temporaryFolder("read-files-");
  const texts = {
    ".gitignore": "Recordings/\n*.log\n/out\n",
    "Recordings/raw.txt": "",
    "app/.gitignore": ".env\n!keep.log\n/out/\n",
    "app/.env": "",
    "app/keep.log": "",
    "app/other.log": "",
    "app/out/x.txt": "",
    "app/recordings/nod.json": "",
    "other/.env": "",
    "other/keep.log": "",
    "out/.gitignore": "!x.txt\n",
    "out/x.txt": "",
  };
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" });
  git("init", "--quiet");
  git("config", "core.ignorecase", "false");
  const published = git("ls-files", "--others", "--exclude-standard").trim().split("\n").sort();
  expect(published).toContain("app/recordings/nod.json");
  expect([...(await readFiles(folder, new AbortController().signal)).keys()].sort()).toEqual(published);
  expect([...withoutIgnored(new Map(Object.entries(texts))).keys()].sort()).toEqual(published);
});
