import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readFiles } from "../check/app/read-files.ts";
import { parseAppName } from "./app-name.ts";
import { createApp } from "./create-app.ts";

let place = "";
beforeEach(async () => {
  place = temporaryFolder("create-");
});

const create = (destination: string, signal = new AbortController().signal) =>
  createApp({ app: parseAppName("my_app"), template: ["assistant/create/templates/default"], destination, signal });

test("creates all files, without the template's name in them", async () => {
  expect(await create(place)).toBe(path.join(place, "my_app"));
  expect(await readdir(place)).toEqual(["my_app"]);
  const files = await readFiles(path.join(place, "my_app"), new AbortController().signal);
  expect([...files.keys()].sort()).toEqual([
    ".gitignore",
    ".vscode/extensions.json",
    ".vscode/launch.json",
    ".vscode/tasks.json",
    "AGENTS.md",
    "README.md",
    "index.html",
    "my_app/__init__.py",
    "my_app/main.py",
    "pyproject.toml",
    "style.css",
    "tests/motions/sway.txt",
    "tests/test_app.py",
    "tests/test_on_robot.py",
  ]);
  expect([...files.values()].join("\n")).not.toMatch(/template.?app/i);
});

test("creates missing folders and uses an empty one", async () => {
  await mkdir(path.join(place, "a/b/my_app"), { recursive: true });
  expect(await readdir(await create(path.join(place, "a/b")))).toContain("pyproject.toml");
  expect(await readdir(await create(path.join(place, "c/d")))).toContain("pyproject.toml");
});

test("refuses to overwrite anything", async () => {
  await mkdir(path.join(place, "my_app"));
  await writeFile(path.join(place, "my_app/notes.txt"), "mine");
  await expect(create(place)).rejects.toMatchObject({ code: "bad-request" });
  await expect(create(place)).rejects.toThrow("exists already, and nothing is overwritten. Choose");
  expect(await readdir(place, { recursive: true })).toEqual(["my_app", "my_app/notes.txt"]);

  await expect(create(path.join(place, "my_app/notes.txt"))).rejects.toThrow("No app can be created in");
  await writeFile(path.join(place, "a_file"), "");
  await rm(path.join(place, "my_app"), { recursive: true });
  await writeFile(path.join(place, "my_app"), "a file of that name");
  await expect(create(place)).rejects.toThrow("exists already");
});

test("an aborted creation removes everything, also the folders that it created", async () => {
  const interrupt = new AbortController();
  interrupt.abort(new Error("Interrupted."));
  await expect(create(path.join(place, "a/b"), interrupt.signal)).rejects.toThrow("Interrupted.");
  expect(await readdir(place)).toEqual([]);
});

test("a folder that cannot be written is refused", async () => {
  await expect(create("/dev/null/x")).rejects.toMatchObject({ code: "bad-request" });
  await expect(create("/dev/null/x")).rejects.toThrow("No app can be created in /dev/null/x (ENOTDIR)");
});
