import { existsSync } from "node:fs";
import { mkdir, readdir, readlink, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../../common/time/clock.ts";
import type { Job } from "../../../../robot/wire/apps/jobs.ts";
import { InstalledApps } from "../../catalogue/installed-apps.ts";
import { asideOf, ownVenvOf, ownVenvsIn } from "../../catalogue/own-venvs.ts";
import { appCommand } from "../../start/app-command.ts";
import { writeProject } from "../../testing/project.ts";
import { useSeeds, writeSmallSdk } from "../../testing/small-sdk.ts";
import { createTestInstaller, TEST_UV, type TestInstaller } from "../../testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "../../testing/test-venv.ts";
import { installedDistributions } from "../environment/installed-distributions.ts";
import { recoverOwnVenvs } from "../environment/venv-lock.ts";
import { localFolder } from "../fetch/folder-source.ts";
import { installApp } from "../install-app.ts";
import { removeApp } from "../remove-app.ts";

/** What an environment is made of: environments are created without an index. */
const wheels = useSeeds();

let home: TestVenv;
let installer: TestInstaller;
let folder: string;
let venv: string;
beforeEach(async () => {
  home = await createTestVenv();
  await home.addTools();
  folder = path.join(home.root, "wave_back");
  venv = ownVenvOf(home.root, "wave-back");
  installer = createTestInstaller(home, TEST_UV);
  const { parts } = installer;
  parts.sdkPath = path.join(home.root, "sdk");
  parts.env = { ...parts.env, UV_FIND_LINKS: wheels };
  parts.installed = new InstalledApps(home.venv, parts.origins, home.root);
  await writeSmallSdk(parts.sdkPath, 42);
});
afterEach(async () => {
  await installer.jobs.close();
  await home.remove();
});

async function install(isolated?: boolean): Promise<Job> {
  const { jobs, parts } = installer;
  const job = jobs.add("install", (run) => installApp(localFolder(folder), parts, run, { isolated }));
  return jobs.done(job.job_id);
}
const find = () => installer.parts.installed.find("wave_back");
async function output(): Promise<string> {
  const { file, args, env } = appCommand(await find(), "run", { venv: home.venv, workDir: home.root, env: {} });
  return (await execa(file, args, { env, extendEnv: false, cwd: "/" })).stdout;
}
const MAIN = "import robot_sdk, sys; print(sys.prefix, robot_sdk.answer)";

test("an app moves into an environment of its own, stays there, comes back when an install fails, and goes with it", async () => {
  await writeProject(folder, { name: "wave_back", main: MAIN });
  expect(await install()).toMatchObject({ status: "done", error: null });
  expect((await find()).ownVenv).toBeUndefined();

  const moved = await install(true);
  expect(moved).toMatchObject({ status: "done", error: null, result: { extra: { isolated: true } } });
  // Everything in its environment: the app, the SDK, pip, setuptools and what else uv puts into a new one.
  const { length } = await installedDistributions(venv);
  expect(length).toBeGreaterThanOrEqual(4);
  expect(moved.result?.extra.installed).toMatchObject({ packages: length, bytes: expect.any(Number) });
  expect(moved.logs.at(-1)).toMatch(new RegExp(`^wave-back: ${length} packages, \\d+\\.\\d MB, \\d+\\.\\d s$`));
  expect(await find()).toMatchObject({ ownVenv: venv, info: { extra: { isolated: true, origin: { from: folder } } } });
  expect(await new InstalledApps(home.venv).list()).toEqual([]);
  expect(await output()).toBe(`${venv} 42`);

  await writeProject(folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing"]' });
  const failed = await install();
  expect(failed).toMatchObject({ code: "dependency-conflict", error: expect.not.stringContaining("--isolated") });
  expect((await find()).info.extra).toMatchObject({ version: "1.0", isolated: true });

  await writeProject(folder, { name: "wave_back", version: "3.0", main: MAIN });
  expect(await install()).toMatchObject({ status: "done", error: null });
  expect((await find()).info.extra).toMatchObject({ version: "3.0", isolated: true });

  await writeProject(folder, { name: "wave_back", version: "4.0", main: MAIN });
  const back = await install(false);
  expect(back).toMatchObject({ status: "done", error: null, result: { extra: { version: "4.0" } } });
  expect(back.result?.extra.isolated).toBeUndefined();
  expect(existsSync(venv)).toBe(false);
  expect((await find()).info.extra).toMatchObject({ version: "4.0", origin: { from: folder } });

  expect(await install(true)).toMatchObject({ status: "done", error: null });
  const { jobs, parts } = installer;
  const removal = jobs.add("remove", (run) => removeApp("wave_back", parts, run).then(() => null));
  expect(await jobs.done(removal.job_id)).toMatchObject({ status: "done", error: null });
  expect(existsSync(venv)).toBe(false);
  expect(await parts.installed.list()).toEqual([]);
});

test("an own environment whose Python is gone is replaced, and comes back when the install fails", async () => {
  await writeProject(folder, { name: "wave_back", main: MAIN });
  expect(await install(true)).toMatchObject({ status: "done", error: null });
  const python = path.join(venv, "bin/python");
  const other = path.join(home.root, "python3.1");
  // Like one of another version, it finds none of the packages.
  await writeFile(other, `#!/bin/sh\nexec ${await realpath(python)} -S "$@"\n`, { mode: 0o755 });
  await rm(python);
  await symlink(other, python);

  await writeProject(folder, { name: "wave_back", more: 'dependencies = ["no-such-thing"]' });
  expect(await install()).toMatchObject({ status: "failed", code: "dependency-conflict" });
  expect([await readlink(python), await readdir(path.dirname(venv))]).toEqual([other, [path.basename(venv)]]);

  // An install that was killed has set the old one aside, and begun the new one.
  await rename(venv, asideOf(venv));
  await mkdir(path.join(venv, "lib"), { recursive: true });
  await writeProject(folder, { name: "wave_back", version: "2.0", main: MAIN });
  const installed = await install(true);
  expect(installed).toMatchObject({ status: "done", error: null });
  expect(installed.logs).toContain(`wave-back gets a new environment in place of ${venv}`);
  expect(await readdir(path.dirname(venv))).toEqual([path.basename(venv)]);
  expect(await find()).toMatchObject({ ownVenv: venv, info: { extra: { version: "2.0" } } });
  expect(await output()).toBe(`${venv} 42`);
});

test("a job that is cancelled while the app is removed from its old environment leaves the app in the new one", async () => {
  await writeProject(folder, { name: "wave_back", main: MAIN });
  expect(await install()).toMatchObject({ status: "done", error: null });
  const cancelled = new AbortController();
  let isRecorded = false;
  const enter = (stage: string): void => {
    if (isRecorded && stage === "install") cancelled.abort();
    isRecorded ||= stage === "record";
  };
  const run = { signal: cancelled.signal, enter, log: () => {} };
  const { extra } = await installApp(localFolder(folder), installer.parts, run, { isolated: true });
  expect([cancelled.signal.aborted, extra.isolated]).toEqual([true, true]);
  expect(await new InstalledApps(home.venv).list()).toEqual([]);
});

test("a conflict with what other apps have names the way out; nothing is left of an environment that cannot be made", async () => {
  await writeProject(folder, { name: "wave_back", more: 'dependencies = ["no-such-thing"]' });
  const shared = await install();
  expect(shared).toMatchObject({ code: "dependency-conflict", error: expect.stringContaining("--isolated") });
  installer.parts.sdkPath = path.join(home.root, "no-sdk");
  expect(await install(true)).toMatchObject({ status: "failed", error: expect.not.stringContaining("--isolated") });
  expect(await ownVenvsIn(home.root)).toEqual([]);
  expect(await installer.parts.installed.list()).toEqual([]);
});

test("what a killed install leaves is tidied up: the old environment is back, one without an app is gone", async () => {
  const folders = (name: string) => path.join(home.root, "app_venvs", name, "bin");
  for (const name of ["unfinished", "replaced", ".old-replaced", ".gone-removed"])
    await mkdir(folders(name), { recursive: true });
  await execa("touch", [path.join(folders("unfinished"), "python"), path.join(folders(".old-replaced"), "old")]);
  await recoverOwnVenvs(home.root, installer.parts.stagingDir, systemClock);
  expect(existsSync(folders("unfinished"))).toBe(false);
  expect(existsSync(path.join(folders("replaced"), "old"))).toBe(true);
  expect(existsSync(folders(".gone-removed"))).toBe(false);
});
