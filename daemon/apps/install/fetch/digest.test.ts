import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { digestOf, projectEntriesIn } from "./digest.ts";

async function project(): Promise<string> {
  const folder = temporaryFolder("digest-");
  await mkdir(path.join(folder, "src"));
  await writeFile(path.join(folder, "src/app.py"), "print()\n");
  return folder;
}

test.each([".pytest_cache", ".mypy_cache", ".ruff_cache", "src/__pycache__", "build"])(
  "what a tool leaves in %s does not change the digest",
  async (cache) => {
    const folder = await project();
    const before = await digestOf(folder);
    await mkdir(path.join(folder, cache));
    await writeFile(path.join(folder, cache, "entry"), "1");
    expect(await digestOf(folder)).toBe(before);
  },
);

test("a change of a file changes the digest", async () => {
  const folder = await project();
  const before = await digestOf(folder);
  await writeFile(path.join(folder, "src/app.py"), "print(1)\n");
  expect(await digestOf(folder)).not.toBe(before);
});

test("the target of a symbolic link that is not followed is part of the digest", async () => {
  const folder = await project();
  await symlink("/nowhere", path.join(folder, "main.py"));
  const before = await digestOf(folder);
  await rm(path.join(folder, "main.py"));
  await symlink("/elsewhere", path.join(folder, "main.py"));
  expect(await digestOf(folder)).not.toBe(before);
});

test("no content looks like another file", async () => {
  const [one, two] = [await project(), await project()];
  await writeFile(path.join(one, "a"), "1\0b\x002");
  await writeFile(path.join(two, "a"), "1");
  await writeFile(path.join(two, "b"), "2");
  expect(await digestOf(one)).not.toBe(await digestOf(two));
});

test("folders that link to each other end", async () => {
  const folder = await project();
  await mkdir(path.join(folder, "other"));
  await symlink("../other", path.join(folder, "src/other"));
  await symlink("../src", path.join(folder, "other/src"));
  const names = (await projectEntriesIn(folder)).map(({ name, kind }) => `${name} ${kind}`);
  expect(names).toEqual(["other/src/app.py file", "other/src/other link", "src/app.py file", "src/other/src link"]);
});
