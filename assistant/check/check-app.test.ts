import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { describeApp } from "./app/app.ts";
import { readFiles } from "./app/read-files.ts";
import { checkApp, runRequirement } from "./check-app.ts";
import { writeChanges } from "./fix/apply-fixes.ts";
import type { Requirement } from "./requirement.ts";
import { healthyFiles } from "./testing/healthy.ts";

const signal = new AbortController().signal;
let folder = "";

beforeEach(async () => {
  folder = temporaryFolder("check-app-");
});

test("an empty folder fails the requirements that it can fail", async () => {
  const { verdict, app, results } = await checkApp(folder, signal);
  expect({ verdict, app }).toEqual({ verdict: "not-conformant", app: null });
  const statuses = results.map(({ id, status }) => `${id} ${status}`);
  expect(statuses).toEqual([
    ...["PKG-001 fail", "PKG-002 fail", "PKG-003 skip", "PKG-004 fail", "PKG-005 fail"],
    ...["PKG-006 skip", "PKG-007 skip", "PKG-008 skip", "PKG-011 pass"],
    ...["PKG-012 skip", "PKG-013 skip", "PKG-014 skip", "PKG-015 skip", "PKG-016 skip", "PKG-017 pass"],
  ]);
});

test("ignored files, generated files and links to folders are not read", async () => {
  await mkdir(join(folder, "__pycache__"));
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, ".gitignore"), ".env\n/build/\n");
  for (const name of [".env", "kept.txt", "sub/.env", "__pycache__/a.pyc"]) await writeFile(join(folder, name), "a");
  await writeFile(join(folder, "picture.png"), "\x89PNG\0");
  await symlink(folder, join(folder, "loop"));
  await symlink(join(folder, "kept.txt"), join(folder, "link.txt"));
  const files = await readFiles(folder, signal);
  expect([...files]).toEqual([
    [".gitignore", ".env\n/build/\n"],
    ["kept.txt", "a"],
    ["link.txt", "a"],
    ["picture.png", null],
  ]);
});

test("what is not a file of the folder is neither read nor written", async () => {
  const outside = temporaryFolder("outside-");
  await writeFile(join(outside, "profile"), "export PATH");
  await symlink(join(outside, "profile"), join(folder, "README.md"));
  await symlink(outside, join(folder, "my_app"));
  spawnSync("mkfifo", [join(folder, "style.css")]);
  expect([...(await readFiles(folder, signal))]).toEqual([
    ["README.md", null],
    ["style.css", null],
  ]);
  for (const [file, before] of [
    ["README.md", "export PATH"],
    ["my_app/__init__.py", null],
    ["my_app/sub/__init__.py", null],
  ] as const)
    await expect(writeChanges(folder, [{ file, before, after: "changed" }])).rejects.toMatchObject({
      code: "edit-refused",
      message: expect.stringContaining(`outside of ${folder}`),
    });
  expect(await readdir(outside)).toEqual(["profile"]);
  expect(await readFile(join(outside, "profile"), "utf8")).toBe("export PATH");
});

test("a missing folder and a file are refused", async () => {
  await expect(checkApp(join(folder, "gone"), signal)).rejects.toMatchObject({
    code: "bad-request",
    message: expect.stringContaining("does not exist"),
  });
  await writeFile(join(folder, "file"), "");
  await expect(checkApp(join(folder, "file"), signal)).rejects.toMatchObject({
    message: expect.stringContaining("is not a folder"),
  });
});

test("a file that cannot be read is an error, not a verdict", async () => {
  await mkdir(join(folder, ".gitignore"));
  await expect(checkApp(folder, signal)).rejects.toMatchObject({
    code: "check-failed",
    message: expect.stringContaining("EISDIR"),
  });
});

test("a check that throws has the status error", async () => {
  const broken: Requirement = {
    ...{ id: "PKG-999", level: "MUST", section: "2.1", title: "Breaks", mutants: [] },
    check: () => {
      throw new TypeError("no such thing");
    },
  };
  expect(await runRequirement(broken, describeApp(healthyFiles))).toMatchObject({
    status: "error",
    reason: "no such thing",
  });
});

test("Ctrl-C ends the check", async () => {
  await expect(checkApp("fixtures/apps/hello_robot", AbortSignal.abort(new Error("Interrupted.")))).rejects.toThrow(
    "Interrupted.",
  );
});
