import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { beforeEach, describe, expect, test } from "vitest";
import { sitePackagesOf } from "../catalogue/installed-apps.ts";
import { addDistribution } from "../testing/distribution.ts";
import { type InstallTestBed, openInstallTestBed } from "../testing/install-test-bed.ts";
import { writeProject } from "../testing/project.ts";
import { TEST_UV } from "../testing/test-installer.ts";
import { localFolder } from "./fetch/folder-source.ts";
import { installApp } from "./install-app.ts";
import { isInstalledAsIs } from "./install-without-daemon.ts";

let bed: InstallTestBed;

// Where pip and uv differ: how a version is replaced.
describe.each([
  ["pip", null],
  ["uv", TEST_UV],
])("with %s", (_, uv) => {
  beforeEach(async () => {
    bed = await openInstallTestBed(uv);
  });

  test("an app is installed from its folder, replaced by a later version, and removed; the folder is not changed", async () => {
    await writeProject(bed.folder, { name: "wave_back", main: "print(1)" });
    const first = await bed.install();
    expect(first).toMatchObject({
      status: "done",
      stage: "record",
      percent: 100,
      error: null,
      result: { name: "wave_back", extra: { version: "1.0", origin: { kind: "local", from: bed.folder } } },
    });
    expect(await readdir(bed.folder)).toEqual(["pyproject.toml", "wave_back"]);
    const where = { folder: bed.folder, dataDir: bed.home.root, venv: bed.home.venv };
    expect(await isInstalledAsIs(where)).toBe(true);

    await writeProject(bed.folder, { name: "wave_back", version: "2.0" });
    expect(await isInstalledAsIs(where)).toBe(false);
    expect((await bed.install()).status).toBe("done");
    expect(await bed.version()).toBe("2.0");

    expect(await bed.remove("Wave-Back")).toMatchObject({ status: "done", error: null, result: null });
    expect(await bed.parts.installed.list()).toEqual([]);
    await bed.expectNoTemporaryFiles();
  });

  test("a link to a folder is refused where another distribution requires another version of the app", async () => {
    const [sitePackages = ""] = await sitePackagesOf(bed.home.venv);
    await addDistribution(sitePackages, { name: "steady", requires: "wave_back<2" });
    await writeProject(bed.folder, { name: "wave_back", version: "2.0" });
    const source = { ...localFolder(bed.folder), editableFolder: bed.folder };
    const job = await bed.jobs.done(bed.jobs.add("install", (run) => installApp(source, bed.parts, run)).job_id);
    expect(job).toMatchObject({
      status: "failed",
      code: "dependency-conflict",
      error: expect.stringMatching(/steady/),
    });
    expect((await bed.parts.installed.list()).map(({ info }) => info.name)).not.toContain("wave_back");
  });
});

describe("with uv", () => {
  beforeEach(async () => {
    bed = await openInstallTestBed(TEST_UV);
  });

  test("apps of one distribution are locked and removed together", async () => {
    const [sitePackages = ""] = await sitePackagesOf(bed.home.venv);
    const entryPoint = "wave = waves:Wave\nnod = waves:Nod";
    await addDistribution(sitePackages, { name: "waves", files: { "waves.py": "" }, entryPoint });
    await bed.parts.origins.set(["wave", "nod"], { kind: "local", from: bed.folder, revision: "1" });
    const locked: (readonly string[])[] = [];
    bed.parts.lockApps = (names) => {
      locked.push(names);
      return () => {};
    };
    expect(await bed.remove("wave")).toMatchObject({ status: "done", error: null });
    expect(locked).toEqual([["nod", "wave"]]);
    expect(await bed.parts.origins.read()).toEqual({});
  });

  // The second list of dependencies is one that only pip and uv understand.
  test.each(["", `dependencies = ['no-such-thing; python_version < "3"']`])(
    "an editable app runs from its folder, until it is installed again: %s",
    async (more) => {
      await writeProject(bed.folder, { name: "wave_back", main: "print(1)", more });
      const source = { ...localFolder(bed.folder), editableFolder: bed.folder };
      const job = await bed.jobs.done(bed.jobs.add("install", (run) => installApp(source, bed.parts, run)).job_id);
      expect(job).toMatchObject({ status: "done", error: null });
      expect((await bed.parts.installed.find("wave_back")).info.extra).toMatchObject({
        editable: true,
        folder: bed.folder,
      });
      expect((await bed.parts.installed.find("wave_back")).file).toBe(path.join(bed.folder, "wave_back/main.py"));
      const run = async () =>
        (await execa(path.join(bed.home.venv, "bin/python"), ["-m", "wave_back.main"], { cwd: "/" })).stdout;
      expect(await run()).toBe("1");
      await writeFile(path.join(bed.folder, "wave_back/main.py"), "print(1234)");
      expect(await run()).toBe("1234");

      expect((await bed.install()).status).toBe("done");
      expect((await bed.parts.installed.find("wave_back")).info.extra.editable).toBeUndefined();
      expect(await bed.remove("wave_back")).toMatchObject({ status: "done" });
    },
  );
});
