import { mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { digestOf } from "./digest.ts";
import { localFolder } from "./folder-source.ts";

const run = { signal: new AbortController().signal, enter: () => {}, log: () => {} };
let root: string;
beforeEach(async () => {
  root = temporaryFolder("folder-");
});

test.each(["/proc/self", "/proc", "/dev"])("%s is refused as a folder without an app", async (folder) => {
  await expect(localFolder(folder).fetch(path.join(root, "app"), run)).rejects.toMatchObject({
    code: "app-invalid",
    message: `There is no pyproject.toml in ${folder}; give the folder of an app.`,
  });
});

test("a folder that cannot be copied is refused with the reason", async () => {
  const folder = path.join(root, "project");
  await mkdir(folder);
  await writeFile(path.join(folder, "pyproject.toml"), "");
  const server = createServer().listen(path.join(folder, "socket"));
  onTestFinished(() => void server.close());
  await expect(localFolder(folder).fetch(path.join(root, "app"), run)).rejects.toMatchObject({
    code: "app-invalid",
    message: expect.stringMatching(/^The folder .*project cannot be copied: .*socket/),
  });
});

test("links inside the folder are copied as what they lead to, with the same revision; others stay links", async () => {
  const folder = path.join(root, "project");
  await mkdir(path.join(folder, "docs"), { recursive: true });
  await writeFile(path.join(folder, "pyproject.toml"), "");
  await writeFile(path.join(folder, "docs/page.md"), "# Page");
  await symlink(path.join(folder, "docs"), path.join(folder, "pages"));
  await symlink("/nowhere", path.join(folder, "gone"));
  const into = path.join(root, "app");
  const { revision } = await localFolder(folder).fetch(into, run);
  await rm(path.join(folder, "docs/page.md"));
  expect(await readFile(path.join(into, "pages/page.md"), "utf8")).toBe("# Page");
  expect(await readlink(path.join(into, "gone"))).toBe("/nowhere");
  expect(revision).toBe(await digestOf(into));
});
