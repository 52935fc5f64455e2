import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { appClassMissing } from "../../../assistant/check/app-class-missing.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { writeProject } from "../testing/project.ts";
import { createTestInstaller, TEST_UV } from "../testing/test-installer.ts";
import { createTestVenv } from "../testing/test-venv.ts";
import { localFolder } from "./fetch/folder-source.ts";
import { installApp } from "./install-app.ts";
import type { InstallParts } from "./install-parts.ts";

/** An installer of the app in `folder`, with what is known of its class. */
async function openInstaller(reader: InstallParts["reader"]) {
  const home = await createTestVenv();
  await home.addTools();
  const installer = createTestInstaller(home, TEST_UV, reader);
  onTestFinished(async () => {
    await installer.jobs.close();
    await home.remove();
  });
  return { ...installer, folder: path.join(home.root, "wave_back") };
}

test("an app without a class is refused before anything changes, with the finding of check", async () => {
  const { install, jobs, parts, folder } = await openInstaller({ appClassMissing });
  await writeProject(folder, { name: "wave_back", main: "print('hello')\n" });
  const error = expect.stringContaining("wave_back/main.py has no class App");
  expect(await install(folder)).toMatchObject({ status: "failed", code: "app-invalid", stage: "check", error });
  expect(await parts.installed.list()).toEqual([]);
  const alone = jobs.add("install", (run) => installApp(localFolder(folder), parts, run, { isolated: true }));
  expect(await jobs.done(alone.job_id)).toMatchObject({ status: "failed", code: "app-invalid", stage: "check", error });
  await writeProject(folder, { name: "wave_back", main: "from robot_sdk import RobotApp as App\n" });
  expect(await install(folder)).toMatchObject({ status: "done", error: null });
});

test("an app whose build fails before its class is known is refused for the build", async () => {
  let failBuild = (): void => {};
  const failed = new Promise<void>((resolve) => {
    failBuild = resolve;
  });
  // A turn of the event loop later: a failure that nobody awaits yet would end the daemon.
  const appClassMissing = () => failed.then(() => setImmediate(null));
  const { install, parts, folder } = await openInstaller({ appClassMissing });
  parts.confine = () => {
    failBuild();
    throw new WorkbenchError("install-failed", "The build does not start.");
  };
  await writeProject(folder, { name: "wave_back" });
  expect(await install(folder)).toMatchObject({ status: "failed", code: "install-failed", stage: "install" });
});
