import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_DIALECT } from "../../../../robot/dialects/dialects.ts";
import { addDistribution, type TestDistribution } from "../../testing/distribution.ts";
import { contentsOf, createNodderVenv } from "../../testing/nodder-venv.ts";
import type { TestVenv } from "../../testing/test-venv.ts";
import type { Project } from "../check/project.ts";
import { readEnvironment } from "../environment/environment-state.ts";
import { changeVenv } from "../environment/transaction.ts";
import { rejectTakeover } from "./takeover.ts";

/** As setuptools writes it. */
const NAMESPACE_PTH = `${[
  "import sys, types, os",
  "has_mfs = sys.version_info > (3, 5)",
  "p = os.path.join(sys._getframe(1).f_locals['sitedir'], *('shared',))",
  "importlib = has_mfs and __import__('importlib.util')",
  "has_mfs and __import__('importlib.machinery')",
  "m = has_mfs and sys.modules.setdefault('shared', importlib.util.module_from_spec(importlib.machinery.PathFinder.find_spec('shared', [os.path.dirname(p)])))",
  "m = m or sys.modules.setdefault('shared', types.ModuleType('shared'))",
  "mp = (m or []) and m.__dict__.setdefault('__path__',[])",
  "(p not in mp) and mp.append(p)",
].join(";")}\n`;
const SETUPTOOLS_PTH =
  "import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os.environ.get(var, 'local') == 'local'; enabled and __import__('_distutils_hack');\n";

const PROJECT: Project = {
  name: "wave-back",
  dialect: DEFAULT_DIALECT,
  entryPoints: [{ key: "wave_back", module: "wave_back.main", className: "App", dialect: DEFAULT_DIALECT }],
  buildRequires: [],
  dependencies: [],
  requiresPython: null,
};
const APP = { name: "wave-back", entryPoint: "wave_back = wave_back.main:App", files: { "wave_back/main.py": "" } };

let home: TestVenv;
beforeEach(async () => {
  home = await createNodderVenv();
});
afterEach(() => home.remove());

/** What an installer does: replaces files by new ones. */
async function put(...distributions: TestDistribution[]): Promise<void> {
  for (const distribution of distributions) {
    const earlier = new RegExp(`^${distribution.name.replaceAll("-", "_")}-[^-]+\\.dist-info$`);
    for (const name of await readdir(home.sitePackages))
      if (earlier.test(name)) await rm(path.join(home.sitePackages, name), { recursive: true });
    for (const file of Object.keys(distribution.files ?? {}))
      await rm(path.join(home.sitePackages, file), { force: true });
    await addDistribution(home.sitePackages, distribution);
  }
}

/** A change of the environment that installs the app beside others. */
function install(distributions: TestDistribution[], { venv = home.venv, isEditable = false } = {}): Promise<void> {
  return changeVenv(venv, async () => {
    const before = await readEnvironment(venv);
    await put(APP, ...distributions);
    await rejectTakeover(venv, before, { project: PROJECT, isEditable });
  });
}

const SO = "robot_sdk/robot.cpython-311-x86_64-linux-gnu.so";
const REFUSED: [what: string, dependency: TestDistribution, error: RegExp][] = [
  [
    "the app of another package",
    { name: "evil", entryPoint: "nodder = evil:App" },
    /evil offers the app nodder.*Only an app's own package/,
  ],
  ["an app of its own", { name: "evil", entryPoint: "Helper = evil:App" }, /evil offers the app Helper/],
  [
    "an app of the other dialect",
    { name: "evil", files: { "evil-1.0.dist-info/entry_points.txt": "[reachy_mini_apps]\nnodder = evil:App\n" } },
    /evil offers the app nodder/,
  ],
  [
    "an app in a second metadata folder",
    {
      name: "evil",
      files: {
        "a.egg-info/PKG-INFO": "Name: nodder\nVersion: 1.0\n",
        "a.egg-info/entry_points.txt": "[robot_apps]\nnodder = evil:App\n",
      },
    },
    /offers the app nodder/,
  ],
  ["sitecustomize", { name: "evil", files: { "sitecustomize.py": "" } }, /evil ships sitecustomize\.py, which runs at/],
  [
    "usercustomize as a package",
    { name: "evil", files: { "usercustomize/__init__.py": "" } },
    /usercustomize\/__init__\.py, which runs at every start/,
  ],
  ["sitecustomize without its source", { name: "evil", files: { "sitecustomize.pyc": "" } }, /sitecustomize\.pyc/],
  [
    "a .pth that runs code",
    { name: "evil", files: { "evil.pth": "/nowhere\nimport\tevil\n", "evil.py": "" } },
    /evil ships evil\.pth, which runs code at every start of Python: of all apps.*environment of its own/,
  ],
  [
    "a .pth that hides behind the form of a namespace",
    { name: "evil", files: { "evil-nspkg.pth": NAMESPACE_PTH.replace("\n", ";exec('1')\n") } },
    /evil ships evil-nspkg\.pth/,
  ],
  [
    "a file of the SDK",
    { name: "evil", files: { "robot_sdk/__init__.py": "taken\n" } },
    /evil ships robot_sdk\/__init__\.py, which belongs to robot-sdk/,
  ],
  ["a compiled module over one of the SDK", { name: "evil", files: { [SO]: "" } }, /evil ships robot_sdk\/robot\..*so/],
  [
    "a file of an app",
    { name: "evil", files: { "nodder/main.py": "taken\n" } },
    /evil ships nodder\/main\.py, which belongs to nodder/,
  ],
  [
    "a file of what another app needs",
    { name: "evil", files: { "arrays/__init__.py": "taken\n" } },
    /evil ships arrays\/__init__\.py, which belongs to arrays/,
  ],
  [
    "a module beside those of what another app needs",
    { name: "evil", files: { "arrays/more.py": "" } },
    /evil ships arrays\/more\.py, which belongs to arrays/,
  ],
  [
    "a command of an app",
    { name: "evil", files: { "../../../bin/nod": "#!python\n" } },
    /evil ships bin\/nod, which belongs to nodder/,
  ],
  [
    "the environment's own Python",
    { name: "evil", files: { "../../../bin/python": "#!python\n" } },
    /evil ships bin\/python, which the environment itself needs/,
  ],
  [
    "the environment's own settings",
    { name: "evil", files: { "../../../pyvenv.cfg": "home = /nowhere\n" } },
    /evil ships pyvenv\.cfg, which the environment itself needs/,
  ],
  [
    "settings of pip",
    { name: "evil", files: { "../../../pip.conf": "[global]\nindex-url = http://evil\n" } },
    /evil ships pip\.conf, which the environment itself needs/,
  ],
  [
    "a list that claims the files of others, so that its removal takes them along",
    { name: "evil", files: { "evil.py": "" }, claims: ["nodder/main.py"] },
    /evil claims nodder\/main\.py, which belongs to nodder/,
  ],
];

describe("an install is rolled back when a dependency brings", () => {
  test.each(REFUSED)("%s", async (_what, dependency, error) => {
    const before = await contentsOf(home);
    await expect(install([dependency])).rejects.toMatchObject({
      message: expect.stringMatching(error),
      code: expect.stringMatching(/^(app-invalid|dependency-conflict)$/),
    });
    expect(await contentsOf(home)).toEqual(before);
  });
});

test.each<[string, TestDistribution]>([
  ["a .pth that adds a folder", { name: "paths", files: { "paths.pth": "# modules\n\nvendored\n" } }],
  ["a namespace as setuptools writes it", { name: "shared-one", files: { "shared_one-nspkg.pth": NAMESPACE_PTH } }],
  ["setuptools, with its own .pth", { name: "more-tools", files: { "more-tools.pth": SETUPTOOLS_PTH } }],
  [
    "a module of a namespace that others have",
    { name: "team-more", files: { "team/more.py": "", "old/__init__.py": "__path__ = extend_path(__path__)\n" } },
  ],
  ["documentation and data", { name: "docs", files: { "docs-1.0.data/data/share/doc/x": "", LICENSE: "" } }],
  ["the same file as another package", { name: "same", files: { "arrays/__init__.py": "real\n" } }],
  ["nothing but its own package", { name: "fine", files: { "fine/__init__.py": "" } }],
])("a dependency is accepted that brings %s", async (_, dependency) => {
  const old = "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n";
  await put({ name: "old", files: { "old/__init__.py": old } }, { name: "team-tools", files: { "team/tools.py": "" } });
  await install([dependency]);
});

test("a variant of a package is accepted by its name, as those of opencv are", async () => {
  const seer = { name: "seer", entryPoint: "seer = seer:App", requires: "opencv-python", files: { "seer.py": "" } };
  await put(seer, { name: "opencv-python", files: { "cv2/__init__.py": "1\n" } });
  await install([{ name: "opencv-contrib-python", files: { "cv2/__init__.py": "2\n" } }]);
});

test("what no other app needs may be replaced", async () => {
  await put({ name: "left-over", files: { "serial/__init__.py": "1\n" } });
  await install([{ name: "pyserial", files: { "serial/__init__.py": "2\n" } }]);
});

test("code at every start of Python is refused from what only an extra of a robot's SDK requires", async () => {
  const media = { name: "media-libs", files: { "media.pth": "import media\n", "media.py": "" } };
  const requires = 'media-libs (>=1) ; python_version >= "3.8" and extra == "dev"';
  await expect(install([media, { name: "reachy-mini", requires }])).rejects.toThrow(/media\.pth/);
});

describe("code at every start of Python is accepted", () => {
  const media = { name: "media-libs", files: { "media.pth": "import media\n", "media.py": "" } };

  test("from what a robot's SDK requires", () => install([media, { name: "reachy-mini", requires: "media-libs" }]));

  test("from the app itself, when it is editable", async () => {
    const files = { "wave.pth": "import wave_finder\n", "wave_finder.py": "" };
    await install([{ ...APP, files: { ...APP.files, ...files } }], { isEditable: true });
    await expect(
      install([{ ...APP, version: "2.0", files: { ...APP.files, "more.pth": "import x\n" } }]),
    ).rejects.toThrow(/more\.pth/);
  });

  test("from an editable app that is installed again without a change", async () => {
    const files = { ...APP.files, "wave.pth": "import wave_finder\n", "wave_finder.py": "" };
    await install([{ ...APP, files }], { isEditable: true });
    await install([{ ...APP, files }], { isEditable: true });
  });

  test("in an environment of the app's own", async () => {
    const venv = path.join(home.root, "app_venvs/wave-back");
    await mkdir(path.dirname(venv));
    await rm(path.join(home.venv, "lib"), { recursive: true });
    await mkdir(path.join(venv, path.relative(home.venv, home.sitePackages)), { recursive: true });
    home.sitePackages = path.join(venv, path.relative(home.venv, home.sitePackages));
    await install([media], { venv });
    await expect(install([{ name: "more", files: { "sitecustomize.py": "" } }], { venv })).rejects.toThrow(
      /sitecustomize/,
    );
  });
});

test("a namespace cannot hide a package of others", async () => {
  const pth = NAMESPACE_PTH.replaceAll("'shared'", "'robot_sdk'");
  await expect(install([{ name: "evil", files: { "evil-nspkg.pth": pth } }])).rejects.toThrow(
    /evil shares a package of robot-sdk/,
  );
});

test("a folder that a .pth adds cannot hide an editable app", async () => {
  const [mine, evil] = [path.join(home.root, "mine"), path.join(home.root, "evil")];
  for (const folder of [mine, evil]) {
    await mkdir(path.join(folder, "zoom"), { recursive: true });
    await writeFile(path.join(folder, "zoom/main.py"), "");
  }
  await put({ name: "zoom", entryPoint: "zoom = zoom.main:App", files: { "zoom.pth": `${mine}\n` } });
  await expect(install([{ name: "evil", files: { "evil.pth": `${evil}\n` } }])).rejects.toThrow(/app zoom/);
});

test("a cached module of another package does not take the place of its source", async () => {
  const [mine, theirs] = ["evil/__pycache__/core.cpython-311.pyc", "nodder/__pycache__/main.cpython-311.pyc"];
  await install([{ name: "evil", files: { "evil/core.py": "", [mine]: "", [theirs]: "taken" } }]);
  expect(await readdir(path.join(home.sitePackages, "nodder/__pycache__"))).toEqual([]);
  expect(await readdir(path.join(home.sitePackages, "evil/__pycache__"))).toHaveLength(1);
});

test("an app that others need is not replaced by an update of a dependency", async () => {
  await expect(
    install([{ name: "nodder", version: "2.0", entryPoint: "nodder = nodder.main:App", files: { "nodder/x.py": "" } }]),
  ).rejects.toThrow(/nodder, which offers the app nodder.*update/);
});

test("a package that others need is not taken from an address instead of the index", async () => {
  const url = { "arrays-1.0.dist-info/direct_url.json": '{"url": "https://evil.example/arrays.whl"}' };
  await expect(install([{ name: "arrays", files: { "arrays/__init__.py": "taken\n", ...url } }])).rejects.toThrow(
    /arrays comes from https:\/\/evil\.example\/arrays\.whl, and other apps need it/,
  );
});

test("an update of a package that others need is accepted from the index", () =>
  install([
    { name: "arrays", files: { "arrays/__init__.py": "2\n", "arrays/more.py": "", "arrays-1.0.dist-info/NEW": "" } },
  ]));
