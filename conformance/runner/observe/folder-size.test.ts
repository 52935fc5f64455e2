import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { countFiles, measureFolders } from "./folder-size.ts";

test("counts files in all folders below, and no folder that does not exist", async () => {
  const folder = temporaryFolder("robot-size-");
  const empty = await measureFolders([folder, join(folder, "missing")]);
  mkdirSync(join(folder, "a/b"), { recursive: true });
  writeFileSync(join(folder, "a/b/file"), Buffer.alloc(3_000_000, 1));
  const filled = await measureFolders([folder]);
  expect(filled - empty).toBeGreaterThanOrEqual(3_000_000);
  expect(filled - empty).toBeLessThan(3_200_000);
  expect(await countFiles([folder, join(folder, "missing")])).toBe(3);
});
