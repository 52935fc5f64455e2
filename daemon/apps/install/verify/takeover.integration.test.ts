import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addDistribution, packWheel, type TestDistribution } from "../../testing/distribution.ts";
import { contentsOf, createNodderVenv } from "../../testing/nodder-venv.ts";
import { writeProject } from "../../testing/project.ts";
import { createTestInstaller, TEST_UV, type TestInstaller } from "../../testing/test-installer.ts";
import type { TestVenv } from "../../testing/test-venv.ts";
import { localFolder } from "../fetch/folder-source.ts";
import { installApp } from "../install-app.ts";

/** Files that Python and uv leave. */
const LEFT_BY_TOOLS = /\.pyc$|^\.lock$/;

let home: TestVenv;
let installer: TestInstaller;
let folder: string;
let wheels: string;

async function prepare(uv: string | null): Promise<void> {
  home = await createNodderVenv();
  await home.addTools();
  installer = createTestInstaller(home, uv);
  folder = path.join(home.root, "project");
  wheels = path.join(home.root, "wheels");
  await mkdir(wheels);
  installer.parts.env = { ...installer.parts.env, PIP_FIND_LINKS: wheels, UV_FIND_LINKS: wheels };
}
afterEach(async () => {
  await installer.jobs.close();
  await home.remove();
});

/** Installs an app that depends on a distribution. */
async function installWith(dependency: TestDistribution) {
  await packWheel(wheels, dependency);
  await writeProject(folder, { name: "wave_back", more: `dependencies = ["${dependency.name}"]` });
  return installer.install(folder);
}

async function expectRollback(dependency: TestDistribution, error: RegExp): Promise<void> {
  const before = await contentsOf(home, LEFT_BY_TOOLS);
  expect(await installWith(dependency)).toMatchObject({ status: "failed", error: expect.stringMatching(error) });
  expect(await contentsOf(home, LEFT_BY_TOOLS)).toEqual(before);
}

describe.each([
  ["pip", null],
  ["uv", TEST_UV],
])("with %s, an install is rolled back when a dependency brings", (_, uv) => {
  beforeEach(() => prepare(uv));

  test("an app", () => expectRollback({ name: "evil", entryPoint: "nodder = evil:App" }, /evil offers the app nodder/));

  test("files of the environment, and a list that does not name them", async () => {
    const files = { "robot_sdk/extra.py": "", "evil-1.0.data/data/pyvenv.cfg": "home = /nowhere\n" };
    await expectRollback({ name: "evil", files, unlisted: true }, /ships (robot_sdk\/extra\.py|pyvenv\.cfg), which/);
  });

  test("the environment's own Python", () =>
    expectRollback({ name: "evil", files: { "evil-1.0.data/scripts/python": "#!python\n" } }, /bin\/python|reserved/));
});

describe("with uv", () => {
  beforeEach(() => prepare(TEST_UV));

  test("the removal of an app removes no file of others, whatever its list claims", async () => {
    await addDistribution(home.sitePackages, {
      name: "culprit",
      entryPoint: "culprit = culprit:App",
      files: { "culprit.py": "" },
      claims: ["nodder/main.py", "robot_sdk/__init__.py", "../../../bin/python", "../../../pyvenv.cfg"],
    });
    expect(await installer.remove("culprit")).toMatchObject({ status: "done", error: null });
    expect(await readFile(path.join(home.sitePackages, "nodder/main.py"), "utf8")).toBe("real\n");
    expect(await readFile(path.join(home.sitePackages, "robot_sdk/__init__.py"), "utf8")).toBe("");
    expect(await readdir(home.venv)).toContain("pyvenv.cfg");
    expect(await readdir(path.join(home.venv, "bin"))).toContain("python");
    expect(await readdir(home.sitePackages)).not.toContain("culprit.py");
  });
});

describe("an app is refused whose build", () => {
  beforeEach(() => prepare(TEST_UV));

  /** A project that is built by a backend of its own. */
  async function writeBackend(entryPoints: string, { editable = entryPoints, name = "wave-back" } = {}): Promise<void> {
    await writeProject(folder, { name: "wave_back" });
    const file = path.join(folder, "pyproject.toml");
    const text = await readFile(file, "utf8");
    const backend = 'requires = []\nbuild-backend = "backend"\nbackend-path = ["."]';
    await writeFile(file, text.replace(/requires = .*\nbuild-backend = .*/, backend));
    await writeFile(
      path.join(folder, "backend.py"),
      `
import zipfile
def build(folder, points, files):
    info = "${name.replaceAll("-", "_")}-1.0.dist-info/"
    name = "${name.replaceAll("-", "_")}-1.0-py3-none-any.whl"
    files = {**files, info + "METADATA": "Metadata-Version: 2.1\\nName: ${name}\\nVersion: 1.0\\n",
        info + "WHEEL": "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n", info + "entry_points.txt": points}
    files[info + "RECORD"] = "".join(path + ",,\\n" for path in [*files, info + "RECORD"])
    with zipfile.ZipFile(folder + "/" + name, "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
def build_wheel(folder, settings=None, metadata=None):
    return build(folder, ${JSON.stringify(entryPoints)}, {"wave_back/__init__.py": "", "wave_back/main.py": ""})
def build_editable(folder, settings=None, metadata=None):
    return build(folder, ${JSON.stringify(editable)}, {"wave_back.pth": "${folder}\\n"})
`,
    );
  }
  const OWN = "[robot_apps]\nwave_back = wave_back.main:App\n";

  test.each([
    ["offers an app that it does not name", `${OWN}nodder = wave_back.main:App\n`, /offers the app nodder/],
    [
      "offers one of the other dialect",
      `${OWN}[reachy_mini_apps]\nnodder = wave_back.main:App\n`,
      /offers the app nodder/,
    ],
    ["runs another module than it names", "[robot_apps]\nwave_back = arrays.core:App\n", /wave_back.*arrays\.core:App/],
  ])("%s", async (_, entryPoints, error) => {
    await writeBackend(entryPoints);
    const before = await contentsOf(home, LEFT_BY_TOOLS);
    const job = await installer.install(folder);
    expect(job).toMatchObject({ status: "failed", code: "app-invalid", error: expect.stringMatching(error) });
    expect(await contentsOf(home, LEFT_BY_TOOLS)).toEqual(before);
  });

  test("makes another distribution", async () => {
    await writeBackend(OWN, { name: "arrays" });
    expect(await installer.install(folder)).toMatchObject({
      status: "failed",
      code: "app-invalid",
      error: expect.stringMatching(/its wheel is of arrays, not of wave-back/),
    });
  });

  test("offers another app when it is editable", async () => {
    await writeBackend(OWN, { editable: `${OWN}nodder = wave_back.main:App\n` });
    const before = await contentsOf(home, LEFT_BY_TOOLS);
    const source = { ...localFolder(folder), editableFolder: folder };
    const { jobs, parts } = installer;
    const job = await jobs.done(jobs.add("install", (run) => installApp(source, parts, run)).job_id);
    expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(/offers the app nodder/) });
    expect(await contentsOf(home, LEFT_BY_TOOLS)).toEqual(before);
  });
});
