import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { appClassMissing } from "../../../assistant/check/app-class-missing.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { type InstallTestBed, openInstallTestBed } from "../testing/install-test-bed.ts";
import { writeProject } from "../testing/project.ts";
import { TEST_UV } from "../testing/test-installer.ts";
import { localFolder } from "./fetch/folder-source.ts";
import { installApp } from "./install-app.ts";

describe("is refused before the environment is touched:", () => {
  let bed: InstallTestBed;
  beforeEach(async () => {
    bed = await openInstallTestBed(TEST_UV);
  });

  const expectRefusal = async (error: RegExp) =>
    expect(await bed.install()).toMatchObject({
      status: "failed",
      stage: expect.stringMatching(/fetch|check/),
      error: expect.stringMatching(error),
    });

  test("a folder that does not exist", () => expectRefusal(/^There is no folder .*wave_back/));

  test("a folder without pyproject.toml", async () => {
    await writeProject(bed.folder, { name: "wave_back" });
    await rm(path.join(bed.folder, "pyproject.toml"));
    await expectRefusal(/no pyproject\.toml/);
  });

  test("a pyproject.toml that is not TOML", async () => {
    await writeProject(bed.folder, { name: "wave_back" });
    await writeFile(path.join(bed.folder, "pyproject.toml"), "[project");
    await expectRefusal(/does not parse/);
  });

  test("a package without entry point", async () => {
    await writeProject(bed.folder, { name: "wave_back" });
    await writeFile(path.join(bed.folder, "pyproject.toml"), '[project]\nname = "x"\n');
    await expectRefusal(/names no app under project\.entry-points\.robot_apps/);
  });

  test("an entry point that names no class", async () => {
    await writeProject(bed.folder, { name: "wave_back" });
    await writeFile(
      path.join(bed.folder, "pyproject.toml"),
      '[project]\nname = "x"\n[project.entry-points.robot_apps]\nx = "x.main"\n',
    );
    await expectRefusal(/x = "x\.main" is not of the form/);
  });
});

test("an app without a class is refused before anything changes, with the finding of check", async () => {
  const { install, jobs, parts, folder } = await openInstallTestBed(TEST_UV, { appClassMissing });
  await writeProject(folder, { name: "wave_back", main: "print('hello')\n" });
  const error = expect.stringContaining("wave_back/main.py has no class App");
  expect(await install()).toMatchObject({ status: "failed", code: "app-invalid", stage: "check", error });
  expect(await parts.installed.list()).toEqual([]);
  const alone = jobs.add("install", (run) => installApp(localFolder(folder), parts, run, { isolated: true }));
  expect(await jobs.done(alone.job_id)).toMatchObject({ status: "failed", code: "app-invalid", stage: "check", error });
  await writeProject(folder, { name: "wave_back", main: "from robot_sdk import RobotApp as App\n" });
  expect(await install()).toMatchObject({ status: "done", error: null });
});

test("an app whose build fails before its class is known is refused for the build", async () => {
  let failBuild = (): void => {};
  const failed = new Promise<void>((resolve) => {
    failBuild = resolve;
  });
  // A turn of the event loop later: a failure that nobody awaits yet would end the daemon.
  const appClassMissing = () => failed.then(() => setImmediate(null));
  const { install, parts, folder } = await openInstallTestBed(TEST_UV, { appClassMissing });
  parts.confine = () => {
    failBuild();
    throw new WorkbenchError("install-failed", "The build does not start.");
  };
  await writeProject(folder, { name: "wave_back" });
  expect(await install()).toMatchObject({ status: "failed", code: "install-failed", stage: "install" });
});
