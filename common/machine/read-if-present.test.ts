import { spawnSync } from "node:child_process";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { readIfPresent } from "./read-if-present.ts";

test("what cannot be read is no missing file, and never waited for", async () => {
  const folder = temporaryFolder("robot-read-if-present-");
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
