import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readIfPresent } from "./read-if-present.ts";

test("what cannot be read is no missing file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "robot-read-if-present-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await readIfPresent(join(folder, "missing"))).toBeNull();
  await expect(readIfPresent(folder)).rejects.toThrow("EISDIR");
});
