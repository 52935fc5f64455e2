import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { REACHY_MINI, ROBOT } from "../../../robot/dialects/dialects.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import { appCommand } from "./app-command.ts";
import { startupModulesOf } from "./startup-modules.ts";

let venv: string;
beforeEach(async () => {
  venv = await mkdtemp(path.join(tmpdir(), "startup-modules-"));
});
afterEach(() => rm(venv, { recursive: true }));

const appOf = (dialect: string | undefined): InstalledApp => ({
  module: "an_app.main",
  file: null,
  info: { name: "an_app", source_kind: "installed", description: "", url: null, extra: dialect ? { dialect } : {} },
});

test("apps of the dialect whose SDK has no sound of its own start with the folder that gives it to them", async () => {
  const app = appOf(REACHY_MINI.id);
  expect(await startupModulesOf(app, venv)).toBeNull();
  const folder = path.join(venv, "lib/python3.11/site-packages/robot_sdk", String(REACHY_MINI.startupModules));
  await mkdir(folder, { recursive: true });
  expect(await startupModulesOf(app, venv)).toBe(folder);
  expect(await startupModulesOf({ ...app, ownVenv: "/elsewhere" }, venv)).toBeNull();
  expect(await startupModulesOf(appOf(ROBOT.id), venv)).toBeNull();
  expect(await startupModulesOf(appOf(undefined), venv)).toBeNull();
});

test("the folder is on PYTHONPATH, and nothing of the daemon's own is", () => {
  const parts = { venv: "/venv", workDir: "/work", env: { PYTHONPATH: "/mine", PATH: "/bin" } };
  expect(appCommand(appOf(undefined), "id", parts).env).not.toHaveProperty("PYTHONPATH");
  expect(appCommand(appOf(undefined), "id", { ...parts, startupModules: "/site" }).env).toMatchObject({
    PYTHONPATH: "/site",
    PATH: "/bin",
  });
});
