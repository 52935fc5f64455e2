import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { sitePackagesOf } from "../catalogue/installed-apps.ts";
import type { OriginRecords } from "../catalogue/origin-records.ts";
import { addDistribution } from "../testing/distribution.ts";
import { startFaultyIndex } from "../testing/faulty-index.ts";
import { writeProject } from "../testing/project.ts";
import { createTestInstaller, TEST_UV, type TestInstaller } from "../testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "../testing/test-venv.ts";
import { localFolder } from "./fetch/folder-source.ts";
import { installApp } from "./install-app.ts";
import type { InstallParts } from "./install-parts.ts";
import { isInstalledAsIs } from "./install-without-daemon.ts";
import type { Jobs } from "./jobs/jobs.ts";

/** uv leaves its lock file in an environment. */
const UV_LOCK = ".lock";

let home: TestVenv;
let installer: TestInstaller;
let parts: InstallParts;
let jobs: Jobs;
let folder: string;
const useInstaller = (uv: string | null) =>
  beforeEach(async () => {
    home = await createTestVenv();
    await home.addTools();
    folder = path.join(home.root, "wave_back");
    installer = createTestInstaller(home, uv);
    ({ parts, jobs } = installer);
  });
afterEach(async () => {
  await jobs.close();
  await home.remove();
});

const install = () => installer.install(folder);
const version = async () => (await parts.installed.find("wave_back")).info.extra.version;

/** No job leaves temporary files. */
async function expectNoTemporaryFiles(): Promise<void> {
  expect(existsSync(parts.stagingDir)).toBe(false);
  const files = (await readdir(home.venv)).filter((name) => !["installed-apps.json", UV_LOCK].includes(name));
  expect(files.sort()).toEqual(["bin", "lib", "pyvenv.cfg"]);
  expect(await readdir(home.root)).not.toContain("venv.lock");
}

/** By uv, which is faster. */
async function installFirstVersion(): Promise<void> {
  const { uv } = parts;
  parts.uv = TEST_UV;
  await writeProject(folder, { name: "wave_back" });
  expect(await install()).toMatchObject({ status: "done", error: null });
  parts.uv = uv;
}

async function fails(error: RegExp, code: string): Promise<void> {
  const job = await install();
  expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(error), code, result: null });
  expect(await version()).toBe("1.0");
  expect((await parts.installed.find("wave_back")).file).not.toBeNull();
  await expectNoTemporaryFiles();
}

// Where pip and uv differ: how a version is replaced, and what they say about an index.
describe.each([
  ["pip", null],
  ["uv", TEST_UV],
])("with %s", (_, uv) => {
  useInstaller(uv);

  test("an app is installed from its folder, replaced by a later version, and removed; the folder is not changed", async () => {
    await writeProject(folder, { name: "wave_back", main: "print(1)" });
    const first = await install();
    expect(first).toMatchObject({
      status: "done",
      stage: "record",
      percent: 100,
      error: null,
      result: { name: "wave_back", extra: { version: "1.0", origin: { kind: "local", from: folder } } },
    });
    expect(await readdir(folder)).toEqual(["pyproject.toml", "wave_back"]);
    const where = { folder, dataDir: home.root, venv: home.venv };
    expect(await isInstalledAsIs(where)).toBe(true);

    await writeProject(folder, { name: "wave_back", version: "2.0" });
    expect(await isInstalledAsIs(where)).toBe(false);
    expect((await install()).status).toBe("done");
    expect(await version()).toBe("2.0");

    expect(await installer.remove("Wave-Back")).toMatchObject({ status: "done", error: null, result: null });
    expect(await parts.installed.list()).toEqual([]);
    await expectNoTemporaryFiles();
  });

  test("a link to a folder is refused where another distribution requires another version of the app", async () => {
    const [sitePackages = ""] = await sitePackagesOf(home.venv);
    await addDistribution(sitePackages, { name: "steady", requires: "wave_back<2" });
    await writeProject(folder, { name: "wave_back", version: "2.0" });
    const source = { ...localFolder(folder), editableFolder: folder };
    const job = await jobs.done(jobs.add("install", (run) => installApp(source, parts, run)).job_id);
    expect(job).toMatchObject({
      status: "failed",
      code: "dependency-conflict",
      error: expect.stringMatching(/steady/),
    });
    expect((await parts.installed.list()).map(({ info }) => info.name)).not.toContain("wave_back");
  });

  describe("the previous version stays when the install fails because", () => {
    beforeEach(installFirstVersion);

    test("the package index does not answer", async () => {
      parts.env = {
        PATH: process.env.PATH,
        HOME: home.root,
        PIP_INDEX_URL: "http://127.0.0.1:9/simple",
        PIP_RETRIES: "1",
        UV_DEFAULT_INDEX: "http://127.0.0.1:9/simple",
        UV_HTTP_RETRIES: "0",
      };
      await writeProject(folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
      await fails(/^The package index does not answer; check the network/, "index-unreachable");
    });

    test.each([
      ["answers that it is out of order", "page", 503],
      ["does not give the files that it names", "file", 500],
    ] as const)("the package index %s", async (_what, where, status) => {
      const index = await startFaultyIndex(where, status);
      onTestFinished(() => index.close());
      parts.env = {
        PATH: process.env.PATH,
        HOME: home.root,
        PIP_INDEX_URL: index.url,
        PIP_RETRIES: "0",
        UV_DEFAULT_INDEX: index.url,
        UV_HTTP_RETRIES: "0",
      };
      await writeProject(folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
      await fails(/^The package index does not answer; check the network/, "index-unreachable");
    });

    test("the package index does not have a dependency", async () => {
      const index = await startFaultyIndex("page", 404);
      onTestFinished(() => index.close());
      parts.env = { PATH: process.env.PATH, HOME: home.root, PIP_INDEX_URL: index.url, UV_DEFAULT_INDEX: index.url };
      await writeProject(folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
      await fails(/no-such-thing/, "dependency-conflict");
    });

    test("its build fails", async () => {
      await writeProject(folder, { name: "wave_back", version: "not a version" });
      await fails(
        /(project\.version|pyproject\.toml).*\((setuptools|uv build --wheel) ended with \d\)$/s,
        "install-failed",
      );
    });

    test("the backend in its own folder fails, although it has the name of setuptools", async () => {
      await writeProject(folder, { name: "wave_back", version: "2.0" });
      const file = path.join(folder, "pyproject.toml");
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace("[project]", 'backend-path = ["."]\n[project]'));
      await mkdir(path.join(folder, "setuptools"));
      await writeFile(path.join(folder, "setuptools/__init__.py"), "");
      await writeFile(
        path.join(folder, "setuptools/build_meta.py"),
        "def build_wheel(*_): raise OSError('own backend')",
      );
      await fails(/OSError: own backend/, "install-failed");
    });
  });
});

describe("with uv", () => {
  useInstaller(TEST_UV);

  test("apps of one distribution are locked and removed together", async () => {
    const [sitePackages = ""] = await sitePackagesOf(home.venv);
    const entryPoint = "wave = waves:Wave\nnod = waves:Nod";
    await addDistribution(sitePackages, { name: "waves", files: { "waves.py": "" }, entryPoint });
    await parts.origins.set(["wave", "nod"], { kind: "local", from: folder, revision: "1" });
    const locked: (readonly string[])[] = [];
    parts.lockApps = (names) => {
      locked.push(names);
      return () => {};
    };
    expect(await installer.remove("wave")).toMatchObject({ status: "done", error: null });
    expect(locked).toEqual([["nod", "wave"]]);
    expect(await parts.origins.read()).toEqual({});
  });

  // The second list of dependencies is one that only pip and uv understand.
  test.each(["", `dependencies = ['no-such-thing; python_version < "3"']`])(
    "an editable app runs from its folder, until it is installed again: %s",
    async (more) => {
      await writeProject(folder, { name: "wave_back", main: "print(1)", more });
      const source = { ...localFolder(folder), editableFolder: folder };
      const job = await jobs.done(jobs.add("install", (run) => installApp(source, parts, run)).job_id);
      expect(job).toMatchObject({ status: "done", error: null });
      expect((await parts.installed.find("wave_back")).info.extra).toMatchObject({ editable: true, folder });
      expect((await parts.installed.find("wave_back")).file).toBe(path.join(folder, "wave_back/main.py"));
      const run = async () =>
        (await execa(path.join(home.venv, "bin/python"), ["-m", "wave_back.main"], { cwd: "/" })).stdout;
      expect(await run()).toBe("1");
      await writeFile(path.join(folder, "wave_back/main.py"), "print(1234)");
      expect(await run()).toBe("1234");

      expect((await install()).status).toBe("done");
      expect((await parts.installed.find("wave_back")).info.extra.editable).toBeUndefined();
      expect(await installer.remove("wave_back")).toMatchObject({ status: "done" });
    },
  );

  describe("the previous version stays when the install fails because", () => {
    beforeEach(installFirstVersion);

    test("a dependency does not exist", async () => {
      await writeProject(folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
      await fails(/no-such-thing>=3/, "dependency-conflict");
    });

    test("the disk is full", async () => {
      await writeProject(folder, { name: "wave_back", version: "2.0" });
      await writeFile(
        path.join(folder, "setup.py"),
        "import errno, os; raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))",
      );
      await fails(/^The disk is full; make room and try again/, "disk-full");
    });

    test("the disk is full when the origin is recorded", async () => {
      const origin = (await parts.origins.read()).wave_back;
      const { origins } = parts;
      parts.origins = Object.assign(Object.create(origins), {
        read: () => origins.read(),
        delete: (...change: Parameters<OriginRecords["delete"]>) => origins.delete(...change),
        set: async (...change: Parameters<OriginRecords["set"]>) => {
          await origins.set(...change);
          throw Object.assign(new Error("ENOSPC: no space left on device, fsync"), { code: "ENOSPC" });
        },
      });
      await writeProject(folder, { name: "wave_back", version: "2.0" });
      await fails(/^The disk is full; make room and try again/, "disk-full");
      expect((await origins.read()).wave_back).toEqual(origin);
    });

    test("it does not ship the module that its entry point names", async () => {
      await writeProject(folder, { name: "wave_back", version: "2.0", packages: [] });
      await fails(/^wave_back runs wave_back\.main, but the package does not ship that module/, "app-invalid");
    });

    test("it is cancelled", async () => {
      await writeProject(folder, { name: "wave_back", version: "2.0" });
      const { job_id } = jobs.add("install", (run) =>
        installApp(localFolder(folder), parts, { ...run, log: () => void jobs.cancel(job_id) }),
      );
      expect(await jobs.done(job_id)).toMatchObject({ status: "cancelled", error: null });
      expect(await version()).toBe("1.0");
      await expectNoTemporaryFiles();
    });
  });

  describe("is refused before the environment is touched:", () => {
    const expectRefusal = async (error: RegExp) =>
      expect(await install()).toMatchObject({
        status: "failed",
        stage: expect.stringMatching(/fetch|check/),
        error: expect.stringMatching(error),
      });

    test("a folder that does not exist", () => expectRefusal(/^There is no folder .*wave_back/));

    test("a folder without pyproject.toml", async () => {
      await writeProject(folder, { name: "wave_back" });
      await rm(path.join(folder, "pyproject.toml"));
      await expectRefusal(/no pyproject\.toml/);
    });

    test("a pyproject.toml that is not TOML", async () => {
      await writeProject(folder, { name: "wave_back" });
      await writeFile(path.join(folder, "pyproject.toml"), "[project");
      await expectRefusal(/does not parse/);
    });

    test("a package without entry point", async () => {
      await writeProject(folder, { name: "wave_back" });
      await writeFile(path.join(folder, "pyproject.toml"), '[project]\nname = "x"\n');
      await expectRefusal(/names no app under project\.entry-points\.robot_apps/);
    });

    test("an entry point that names no class", async () => {
      await writeProject(folder, { name: "wave_back" });
      await writeFile(
        path.join(folder, "pyproject.toml"),
        '[project]\nname = "x"\n[project.entry-points.robot_apps]\nx = "x.main"\n',
      );
      await expectRefusal(/x = "x\.main" is not of the form/);
    });
  });
});
