import { existsSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../clock.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { type HandmadeVenv, handmadeVenv } from "../testing/handmade-venv.ts";
import { writeProject } from "../testing/project.ts";
import { localFolder } from "./folder-source.ts";
import { isInstalledAsIs } from "./install-alone.ts";
import { type InstallParts, installApp, removeApp } from "./install-app.ts";
import { Jobs } from "./jobs.ts";
import { Records } from "./records.ts";

// Real installers and interpreters on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let home: HandmadeVenv;
let parts: InstallParts;
let jobs: Jobs;
let folder: string;
beforeEach(async () => {
  home = await handmadeVenv();
  await home.addTools();
  folder = path.join(home.root, "wave_back");
  parts = {
    venv: home.venv,
    uv: null,
    env: { PATH: process.env.PATH, HOME: home.root, PIP_NO_INDEX: "1" },
    catalogue: new Catalogue(home.venv),
    records: new Records(home.root),
    stagingDir: path.join(home.root, "staging"),
    clock: systemClock,
    reserve: () => () => {},
  };
  let count = 0;
  jobs = new Jobs(
    () => String(++count),
    () => {},
  );
});
afterEach(async () => {
  await jobs.close();
  await home.remove();
});

const install = () => jobs.done(jobs.add("install", (run) => installApp(localFolder(folder), parts, run)).job_id);
const version = async () => (await parts.catalogue.find("wave_back")).info.extra.version;

/** After every job: nothing half done lies around. */
async function expectTidy(): Promise<void> {
  expect(existsSync(parts.stagingDir)).toBe(false);
  expect((await readdir(home.venv)).sort()).toEqual(["bin", "lib", "pyvenv.cfg"]);
  expect(await readdir(home.root)).not.toContain("venv.lock");
}

test("an app is installed from its folder, replaced by a later one, and removed; its folder stays as it is", async () => {
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

  const removed = jobs.add("remove", (run) => removeApp("Wave-Back", parts, run).then(() => null));
  expect(await jobs.done(removed.job_id)).toMatchObject({ status: "done", error: null, result: null });
  expect(await parts.catalogue.list()).toEqual([]);
  await expectTidy();
});

describe("an install that fails leaves the version before it: because", () => {
  beforeEach(async () => {
    await writeProject(folder, { name: "wave_back" });
    expect(await install()).toMatchObject({ status: "done", error: null });
  });
  const fails = async (error: RegExp, code: string) => {
    const job = await install();
    expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(error), code, result: null });
    expect(await version()).toBe("1.0");
    expect((await parts.catalogue.find("wave_back")).file).not.toBeNull();
    await expectTidy();
  };

  test("it needs something that cannot be had", async () => {
    await writeProject(folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
    await fails(/no-such-thing>=3/, "dependency-conflict");
  });

  test("the package index does not answer", async () => {
    parts.env = {
      PATH: process.env.PATH,
      HOME: home.root,
      PIP_INDEX_URL: "http://127.0.0.1:9/simple",
      PIP_RETRIES: "1",
    };
    await writeProject(folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
    await fails(/^The package index does not answer; check the network/, "index-unreachable");
  });

  test("the disk is full", async () => {
    await writeProject(folder, { name: "wave_back", version: "2.0" });
    await writeFile(
      path.join(folder, "setup.py"),
      "import errno, os; raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))",
    );
    await fails(/^The disk is full; make room and try again/, "disk-full");
  });

  test("it does not ship the module that its entry point names", async () => {
    await writeProject(folder, { name: "wave_back", version: "2.0", packages: [] });
    await fails(/^wave_back runs wave_back\.main, but the package does not ship that module/, "app-invalid");
  });

  test("its build breaks", async () => {
    await writeProject(folder, { name: "wave_back", version: "not a version" });
    await fails(/project\.version/, "install-failed");
  });

  test("somebody cancels it", async () => {
    await writeProject(folder, { name: "wave_back", version: "2.0" });
    const { job_id } = jobs.add("install", (run) =>
      installApp(localFolder(folder), parts, { ...run, log: () => void jobs.cancel(job_id) }),
    );
    expect(await jobs.done(job_id)).toMatchObject({ status: "cancelled", error: null });
    expect(await version()).toBe("1.0");
    await expectTidy();
  });
});

describe("what is no app is refused before the environment is touched:", () => {
  const refused = async (error: RegExp) =>
    expect(await install()).toMatchObject({
      status: "failed",
      stage: expect.stringMatching(/fetch|check/),
      error: expect.stringMatching(error),
    });

  test("no folder", () => refused(/^There is no folder .*wave_back/));

  test("no pyproject.toml", async () => {
    await writeProject(folder, { name: "wave_back" });
    await rm(path.join(folder, "pyproject.toml"));
    await refused(/no pyproject\.toml/);
  });

  test("a pyproject.toml that is no TOML", async () => {
    await writeProject(folder, { name: "wave_back" });
    await writeFile(path.join(folder, "pyproject.toml"), "[project");
    await refused(/does not parse/);
  });

  test("no entry point", async () => {
    await writeProject(folder, { name: "wave_back" });
    await writeFile(path.join(folder, "pyproject.toml"), '[project]\nname = "x"\n');
    await refused(/project\.entry-points/);
  });

  test("an entry point that names no class", async () => {
    await writeProject(folder, { name: "wave_back" });
    await writeFile(
      path.join(folder, "pyproject.toml"),
      '[project]\nname = "x"\n[project.entry-points.robot_apps]\nx = "x.main"\n',
    );
    await refused(/x = "x\.main" is not of the form/);
  });
});
