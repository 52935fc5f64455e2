import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { copyAppWithChanges, GOOD_APPS, MUTANTS } from "./mutants.ts";

test("all broken and good apps can be made, and are Python", async () => {
  const into = temporaryFolder("robot-variants-");
  for (const [name, { app, changes }] of Object.entries({ ...MUTANTS, ...GOOD_APPS }))
    await copyAppWithChanges(app, changes, join(into, name));
  execFileSync("python3", ["-m", "compileall", "-q", into], { stdio: "pipe" });
  expect(Object.keys(GOOD_APPS).length).toBeGreaterThanOrEqual(50);
});
