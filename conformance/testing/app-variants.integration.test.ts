import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyAppWithChanges, GOOD_APPS, MUTANTS } from "./mutants.ts";

test("all broken and good apps can be made, and are Python", async () => {
  const into = await mkdtemp(join(tmpdir(), "robot-variants-"));
  onTestFinished(() => rm(into, { recursive: true, force: true }));
  for (const [name, { app, changes }] of Object.entries({ ...MUTANTS, ...GOOD_APPS }))
    await copyAppWithChanges(app, changes, join(into, name));
  execFileSync("python3", ["-m", "compileall", "-q", into], { stdio: "pipe" });
  expect(Object.keys(GOOD_APPS).length).toBeGreaterThanOrEqual(25);
});
