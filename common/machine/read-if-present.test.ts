import { spawnSync } from "node:child_process";
import { mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readIfPresent } from "./read-if-present.ts";

test("what cannot be read is no missing file, and never waited for", async () => {
  const folder = await mkdtemp(join(tmpdir(), "robot-read-if-present-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await readIfPresent(join(folder, "missing"))).toBeNull();
  await expect(readIfPresent(folder)).rejects.toThrow("EISDIR");
  spawnSync("mkfifo", [join(folder, "pipe")]);
  await expect(readIfPresent(join(folder, "pipe"))).rejects.toThrow(/EINVAL.*is a pipe or a device/);
  await symlink("/dev/zero", join(folder, "zero"));
  await expect(readIfPresent(join(folder, "zero"))).rejects.toThrow("EINVAL");
  await writeFile(join(folder, "huge"), "");
  await truncate(join(folder, "huge"), 3_000_000_000);
  await expect(readIfPresent(join(folder, "huge"))).rejects.toThrow("EFBIG");
});
