import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { digestOf } from "./digest.ts";

async function project(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "digest-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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

test("the target of a symbolic link is part of the digest", async () => {
  const folder = await project();
  await symlink("src/app.py", path.join(folder, "main.py"));
  const before = await digestOf(folder);
  await rm(path.join(folder, "main.py"));
  await symlink("src/other.py", path.join(folder, "main.py"));
  expect(await digestOf(folder)).not.toBe(before);
});

test("no content looks like another file", async () => {
  const [one, two] = [await project(), await project()];
  await writeFile(path.join(one, "a"), "1\0b\x002");
  await writeFile(path.join(two, "a"), "1");
  await writeFile(path.join(two, "b"), "2");
  expect(await digestOf(one)).not.toBe(await digestOf(two));
});
