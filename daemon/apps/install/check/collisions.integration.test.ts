import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addDistribution, packWheel } from "../../testing/distribution.ts";
import { writeProject } from "../../testing/project.ts";
import { createTestInstaller, TEST_UV, type TestInstaller } from "../../testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "../../testing/test-venv.ts";

let home: TestVenv;
let installer: TestInstaller;
let folder: string;
beforeEach(async () => {
  home = await createTestVenv();
  await home.addTools();
  installer = createTestInstaller(home, TEST_UV);
  folder = path.join(home.root, "project");
  await addDistribution(home.sitePackages, { name: "robot-sdk", files: { "robot_sdk/__init__.py": "" } });
  await addDistribution(home.sitePackages, {
    name: "arrays",
    files: { "arrays/__init__.py": "real = True\n", "arrays/core.py": "", "../../../bin/arrays": "#!/bin/sh\n" },
  });
});
afterEach(async () => {
  await installer.jobs.close();
  await home.remove();
});

async function expectRefusal(error: RegExp): Promise<void> {
  const before = await readFile(path.join(home.sitePackages, "arrays/__init__.py"), "utf8");
  const job = await installer.install(folder);
  expect(job).toMatchObject({ status: "failed", code: "app-invalid", error: expect.stringMatching(error) });
  // Before the change: a running app never sees the environment with the other files.
  expect(job.logs.some((line) => line.startsWith("Installing collected"))).toBe(false);
  expect(await readFile(path.join(home.sitePackages, "arrays/__init__.py"), "utf8")).toBe(before);
}

async function writeModule(name: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, "__init__.py"), "real = False\n");
}

describe("an app is refused by name, before the environment changes, when it ships", () => {
  test.each([
    ["the SDK", "robot_sdk", /ships robot_sdk, which belongs to robot-sdk/],
    ["a dependency of other apps", "arrays", /ships arrays, which belongs to arrays/],
    ["the standard library", "json", /ships json, a module of Python's standard library/],
    ["every start of Python", "sitecustomize", /ships sitecustomize, which runs at every start of Python/],
    ["the installer", "pip", /ships pip, which belongs to/],
  ])("a module of %s", async (_, module, error) => {
    await writeProject(folder, { name: "wave_back", packages: ["wave_back", module] });
    await writeModule(module);
    await expectRefusal(error);
  });

  test("a single file of another distribution", async () => {
    await writeProject(folder, { name: "wave_back", modules: ["arrays"] });
    await writeFile(path.join(folder, "arrays.py"), "");
    await expectRefusal(/ships arrays, which belongs to arrays/);
  });

  test("a command of another distribution", async () => {
    await writeProject(folder, { name: "wave_back", more: '[project.scripts]\narrays = "wave_back.main:main"' });
    await expectRefusal(/ships bin\/arrays, which belongs to arrays/);
  });

  test("a command that is no distribution's, such as python", async () => {
    await writeProject(folder, { name: "wave_back", more: '[project.scripts]\npython = "wave_back.main:main"' });
    await expectRefusal(/ships bin\/python, which the environment itself needs/);
  });

  test("a file beside its packages", async () => {
    await writeProject(folder, { name: "wave_back", dataFiles: { "lib/elsewhere": ["wave_back/main.py"] } });
    await expectRefusal(/ships lib\/elsewhere\/main\.py, outside of/);
  });
});

test("an app is refused whose distribution has the name of a dependency", async () => {
  await writeProject(folder, { name: "wave_back", distribution: "arrays", version: "99" });
  await expectRefusal(/its distribution is called arrays, like one that is installed and is not a robot app/);
});

test("an app is refused that takes over the entry point of another distribution", async () => {
  await writeProject(folder, { name: "wave_back" });
  expect(await installer.install(folder)).toMatchObject({ status: "done", error: null });
  const other = path.join(home.root, "other");
  await writeProject(other, { name: "other", entryPoint: "Wave-Back" });
  folder = other;
  await expectRefusal(/offers the app Wave-Back, which wave-back offers already; remove that first/);
});

test("an app is refused whose entry point runs a module of another distribution", async () => {
  await writeProject(folder, { name: "wave_back", module: "arrays.core" });
  await expectRefusal(/wave_back runs arrays\.core, but the package does not ship that module/);
});

test("a package that several distributions share by design is accepted", async () => {
  await addDistribution(home.sitePackages, { name: "team-tools", files: { "team/tools.py": "" } });
  await writeProject(folder, { name: "wave_back", packages: ["wave_back", "team.waves"] });
  await mkdir(path.join(folder, "team/waves"), { recursive: true });
  await writeFile(path.join(folder, "team/waves/__init__.py"), "");
  expect(await installer.install(folder)).toMatchObject({ status: "done", error: null });
});

test("a later version of an app replaces its own files", async () => {
  for (const version of ["1.0", "1.0", "2.0"]) {
    await writeProject(folder, { name: "wave_back", version, more: '[project.scripts]\nwave = "wave_back.main:main"' });
    expect(await installer.install(folder)).toMatchObject({ status: "done", error: null });
  }
});

test("an install is rolled back when a dependency takes over files of an app or of the SDK", async () => {
  const wheels = path.join(home.root, "wheels");
  await mkdir(wheels);
  await packWheel(wheels, { name: "impostor", files: { "robot_sdk/__init__.py": "taken = True\n" } });
  installer.parts.env = { ...installer.parts.env, PIP_FIND_LINKS: wheels, UV_FIND_LINKS: wheels };
  await writeProject(folder, { name: "wave_back", more: 'dependencies = ["impostor"]' });
  const job = await installer.install(folder);
  expect(job).toMatchObject({
    status: "failed",
    code: "dependency-conflict",
    error: expect.stringMatching(/impostor ships robot_sdk\/__init__\.py, which belongs to robot-sdk/),
  });
  expect(await readFile(path.join(home.sitePackages, "robot_sdk/__init__.py"), "utf8")).toBe("");
});

test("the removal of an app repairs what it had replaced", async () => {
  const [wheels, sdkPath] = [path.join(home.root, "wheels"), path.join(home.root, "sdk")];
  await mkdir(wheels);
  const arrays = { name: "arrays", files: { "arrays/__init__.py": "real = True\n", "arrays/core.py": "" } };
  await packWheel(wheels, arrays);
  await writeProject(sdkPath, { name: "robot_sdk", more: "[project.optional-dependencies]\nweb = []" });
  Object.assign(installer.parts, {
    sdkPath,
    env: { ...installer.parts.env, PIP_FIND_LINKS: wheels, UV_FIND_LINKS: wheels },
  });
  await addDistribution(home.sitePackages, {
    name: "culprit",
    entryPoint: "culprit = culprit.main:App",
    files: { "culprit/main.py": "", "robot_sdk/__init__.py": "taken = 1\n", "arrays/__init__.py": "taken = 1\n" },
  });
  expect(await installer.remove("culprit")).toMatchObject({ status: "done", error: null });
  expect(await readFile(path.join(home.sitePackages, "robot_sdk/__init__.py"), "utf8")).toBe("");
  expect(await readFile(path.join(home.sitePackages, "arrays/__init__.py"), "utf8")).toBe("real = True\n");
});
