import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { OriginRecords } from "../catalogue/origin-records.ts";
import { startFaultyIndex } from "../testing/faulty-index.ts";
import { type InstallTestBed, openInstallTestBed } from "../testing/install-test-bed.ts";
import { writeProject } from "../testing/project.ts";
import { TEST_UV } from "../testing/test-installer.ts";
import { localFolder } from "./fetch/folder-source.ts";
import { installApp } from "./install-app.ts";

let bed: InstallTestBed;

// Where pip and uv differ: what they say about an index.
describe.each([
  ["pip", null],
  ["uv", TEST_UV],
])("with %s, the previous version stays when the install fails because", (_, uv) => {
  beforeEach(async () => {
    bed = await openInstallTestBed(uv);
    await bed.installFirstVersion();
  });

  test("the package index does not answer", async () => {
    bed.parts.env = {
      PATH: process.env.PATH,
      HOME: bed.home.root,
      PIP_INDEX_URL: "http://127.0.0.1:9/simple",
      PIP_RETRIES: "1",
      UV_DEFAULT_INDEX: "http://127.0.0.1:9/simple",
      UV_HTTP_RETRIES: "0",
    };
    await writeProject(bed.folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
    await bed.expectFailure(/^The package index does not answer; check the network/, "index-unreachable");
  });

  test.each([
    ["answers that it is out of order", "page", 503],
    ["does not give the files that it names", "file", 500],
  ] as const)("the package index %s", async (_what, where, status) => {
    const index = await startFaultyIndex(where, status);
    bed.parts.env = {
      PATH: process.env.PATH,
      HOME: bed.home.root,
      PIP_INDEX_URL: index,
      PIP_RETRIES: "0",
      UV_DEFAULT_INDEX: index,
      UV_HTTP_RETRIES: "0",
    };
    await writeProject(bed.folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
    await bed.expectFailure(/^The package index does not answer; check the network/, "index-unreachable");
  });

  test("the package index does not have a dependency", async () => {
    const index = await startFaultyIndex("page", 404);
    bed.parts.env = {
      PATH: process.env.PATH,
      HOME: bed.home.root,
      PIP_INDEX_URL: index,
      UV_DEFAULT_INDEX: index,
    };
    await writeProject(bed.folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
    await bed.expectFailure(/no-such-thing/, "dependency-conflict");
  });

  test("its build fails", async () => {
    await writeProject(bed.folder, { name: "wave_back", version: "2.0" });
    await writeFile(path.join(bed.folder, "setup.py"), 'raise RuntimeError("there is no compiler")\n');
    await bed.expectFailure(
      /RuntimeError: there is no compiler.*\((setuptools|uv build --wheel) ended with \d\)$/s,
      "install-failed",
    );
  });

  test("the backend in its own folder fails, although it has the name of setuptools", async () => {
    await writeProject(bed.folder, { name: "wave_back", version: "2.0" });
    const file = path.join(bed.folder, "pyproject.toml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("[project]", 'backend-path = ["."]\n[project]'));
    await mkdir(path.join(bed.folder, "setuptools"));
    await writeFile(path.join(bed.folder, "setuptools/__init__.py"), "");
    await writeFile(
      path.join(bed.folder, "setuptools/build_meta.py"),
      "def build_wheel(*_): raise OSError('own backend')",
    );
    await bed.expectFailure(/OSError: own backend/, "install-failed");
  });
});

describe("the previous version stays when the install fails because", () => {
  beforeEach(async () => {
    bed = await openInstallTestBed(TEST_UV);
    await bed.installFirstVersion();
  });

  test("a dependency does not exist", async () => {
    await writeProject(bed.folder, { name: "wave_back", version: "2.0", more: 'dependencies = ["no-such-thing>=3"]' });
    await bed.expectFailure(/no-such-thing>=3/, "dependency-conflict");
  });

  test("the disk is full", async () => {
    await writeProject(bed.folder, { name: "wave_back", version: "2.0" });
    await writeFile(
      path.join(bed.folder, "setup.py"),
      "import errno, os; raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))",
    );
    await bed.expectFailure(/^The disk is full; make room and try again/, "disk-full");
  });

  test("the disk is full when the origin is recorded", async () => {
    const origin = (await bed.parts.origins.read()).wave_back;
    const { origins } = bed.parts;
    bed.parts.origins = Object.assign(Object.create(origins), {
      read: () => origins.read(),
      delete: (...change: Parameters<OriginRecords["delete"]>) => origins.delete(...change),
      set: async (...change: Parameters<OriginRecords["set"]>) => {
        await origins.set(...change);
        throw Object.assign(new Error("ENOSPC: no space left on device, fsync"), { code: "ENOSPC" });
      },
    });
    await writeProject(bed.folder, { name: "wave_back", version: "2.0" });
    await bed.expectFailure(/^The disk is full; make room and try again/, "disk-full");
    expect((await origins.read()).wave_back).toEqual(origin);
  });

  test("it does not ship the module that its entry point names", async () => {
    await writeProject(bed.folder, { name: "wave_back", version: "2.0", packages: [] });
    await bed.expectFailure(
      /^wave_back runs wave_back\.main, but the package does not ship that module/,
      "app-invalid",
    );
  });

  test("it is cancelled", async () => {
    await writeProject(bed.folder, { name: "wave_back", version: "2.0" });
    const { job_id } = bed.jobs.add("install", (run) =>
      installApp(localFolder(bed.folder), bed.parts, { ...run, log: () => void bed.jobs.cancel(job_id) }),
    );
    expect(await bed.jobs.done(job_id)).toMatchObject({ status: "cancelled", error: null });
    expect(await bed.version()).toBe("1.0");
    await bed.expectNoTemporaryFiles();
  });
});
