import { chmod, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { writePlanned } from "./write-files.ts";

test("a hook that lost its right to be executed gets it again", async () => {
  const folder = temporaryFolder("robot-write-files-");
  const hook = { path: path.join(folder, "pre-commit"), text: "#!/bin/sh\n", executable: true };
  await writeFile(hook.path, hook.text);
  await chmod(hook.path, 0o644);
  expect(await writePlanned(hook, false)).toBe("unchanged");
  expect((await stat(hook.path)).mode & 0o777).toBe(0o755);
});
