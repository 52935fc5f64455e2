import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { appClassMissing } from "../../../assistant/check/app-class-missing.ts";
import { writeProject } from "../testing/project.ts";
import { createTestInstaller, TEST_UV } from "../testing/test-installer.ts";
import { createTestVenv } from "../testing/test-venv.ts";
import { localFolder } from "./fetch/folder-source.ts";
import { installApp } from "./install-app.ts";

test("an app without a class is refused before anything changes, with the finding of check", async () => {
  const home = await createTestVenv();
  await home.addTools();
  const { install, jobs, parts } = createTestInstaller(home, TEST_UV, { appClassMissing });
  onTestFinished(async () => {
    await jobs.close();
    await home.remove();
  });
  const folder = path.join(home.root, "wave_back");
  await writeProject(folder, { name: "wave_back", main: "print('hello')\n" });
  const error = expect.stringContaining("wave_back/main.py has no class App");
  expect(await install(folder)).toMatchObject({ status: "failed", code: "app-invalid", stage: "check", error });
  expect(await parts.installed.list()).toEqual([]);
  const alone = jobs.add("install", (run) => installApp(localFolder(folder), parts, run, { isolated: true }));
  expect(await jobs.done(alone.job_id)).toMatchObject({ status: "failed", code: "app-invalid", stage: "check", error });
  await writeProject(folder, { name: "wave_back", main: "from robot_sdk import RobotApp as App\n" });
  expect(await install(folder)).toMatchObject({ status: "done", error: null });
});
