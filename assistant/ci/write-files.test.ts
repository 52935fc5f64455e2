import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writePlanned } from "./write-files.ts";

test("a hook that lost its right to be executed gets it again", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "robot-write-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const hook = { path: path.join(folder, "pre-commit"), text: "#!/bin/sh\n", executable: true };
  await writeFile(hook.path, hook.text);
  await chmod(hook.path, 0o644);
  expect(await writePlanned(hook, false)).toBe("unchanged");
  expect((await stat(hook.path)).mode & 0o777).toBe(0o755);
});
