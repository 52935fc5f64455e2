import { execFile } from "node:child_process";
import { cp, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../../../common/testing/http-server.ts";
import { systemClock } from "../../../../common/time/clock.ts";
import { createTestVenv } from "../../testing/test-venv.ts";
import { isProjectFile } from "../fetch/digest.ts";
import { buildWheel } from "../tools/installer.ts";
import { installSdk } from "./apps-venv.ts";
import { installedDistributions } from "./installed-distributions.ts";
import { hasSdkConstraint, sdkFolderIn, writeSdkConstraint } from "./sdk-constraint.ts";

/** A package index that offers every package in version 99; `asked` are the packages that somebody looked for. */
async function startIndex(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const address = await serveHttp(({ url = "" }, response) => {
    const name = url.split("/").filter(Boolean).at(-1) ?? "";
    asked.push(name);
    response.setHeader("content-type", "text/html");
    response.end(`<a href="/files/${name.replace("-", "_")}-99-py3-none-any.whl">file</a>`);
  });
  return { url: `${address}/simple`, asked };
}

async function writeProject(folder: string, project: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const build = '[build-system]\nrequires = ["setuptools>=70"]\nbuild-backend = "setuptools.build_meta"\n';
  await writeFile(
    path.join(folder, "pyproject.toml"),
    `${build}[project]\n${project}\n[tool.setuptools]\npackages = []\n`,
  );
  return folder;
}

test.each([
  ["an app that asks for any version", "robot-sdk", true],
  ["an app that asks for what web pages need", "robot-sdk[web]", true],
  ["an app that asks for a version that only the index has", "robot-sdk>=99", false],
])("an index cannot offer another SDK to %s", async (_, requirement, installs) => {
  const home = await createTestVenv();
  onTestFinished(() => home.remove());
  await home.addTools();
  // A place that needs quoting in settings and addresses.
  const venv = path.join(home.root, "données à moi");
  await rename(home.venv, venv);
  const index = await startIndex();
  const env = { PATH: process.env.PATH, HOME: home.root, PIP_INDEX_URL: index.url, PIP_NO_CACHE_DIR: "1" };
  const sdkPath = await writeProject(
    path.join(home.root, "sdk"),
    'name = "robot-sdk"\nversion = "1.0"\n[project.optional-dependencies]\nweb = []',
  );
  const parts = { dataDir: home.root, uv: null, sdkPath, env, clock: systemClock, onProgress: () => {} };
  await installSdk(venv, parts);

  const app = await writeProject(
    path.join(home.root, "my_app"),
    `name = "my_app"\nversion = "1"\ndependencies = ["${requirement}"]`,
  );
  const pip = ["-m", "pip", "install", "--no-build-isolation", "--disable-pip-version-check", app];
  const installed = promisify(execFile)(path.join(venv, "bin/python"), pip, { env });
  if (installs) await installed;
  else await expect(installed).rejects.toThrow(/conflict/i);
  const versions = (await installedDistributions(venv)).map(({ name, version }) => `${name} ${version}`);
  expect(versions).toContain("robot-sdk 1.0");
  expect(versions.includes("my-app 1")).toBe(installs);
  if (installs) expect(index.asked).toEqual([]);
});

test.each([
  ["no settings", "", []],
  ["another section", "[global]\ntimeout = 7", ["global.timeout='7'"]],
  [
    "indented settings",
    "[install]\n    no-compile = yes\n[list]\nformat = json\n",
    ["install.no-compile='yes'", "list.format='json'"],
  ],
])("pip's settings in an environment get the SDK's version and stay otherwise: %s", async (_, settings, kept) => {
  const home = await createTestVenv();
  onTestFinished(() => home.remove());
  await home.addTools();
  await mkdir(sdkFolderIn(home.venv));
  if (settings !== "") await writeFile(path.join(home.venv, "pip.conf"), settings);
  for (const version of ["1.0", "2.0"]) {
    await writeSdkConstraint(home.venv, version);
    const pip = ["-m", "pip", "config", "--site", "list"];
    const { stdout } = await promisify(execFile)(path.join(home.venv, "bin/python"), pip, { env: { HOME: home.root } });
    const constraint = `install.constraint='${pathToFileURL(sdkFolderIn(home.venv)).href}/constraints.txt'`;
    expect(stdout.trim().split("\n").sort()).toEqual([...kept, constraint].sort());
    expect(await hasSdkConstraint(home.venv)).toBe(true);
  }
});

test("where the SDK is installed, every start of Python gives the public SDK the daemon's sound and picture", async () => {
  const home = await createTestVenv();
  onTestFinished(() => home.remove());
  await home.addTools();
  const project = path.join(home.root, "sdk");
  await cp("sdk", project, { recursive: true, filter: (file) => isProjectFile(path.relative("sdk", file)) });
  const env = { PATH: process.env.PATH, HOME: home.root };
  const run = { clock: systemClock, onLine: () => {}, scratch: path.join(home.root, "scratch") };
  await mkdir(run.scratch);
  const wheel = await buildWheel({ venv: home.venv, uv: null, env }, { ...run, project, isolated: false });
  const python = (...args: string[]) => promisify(execFile)(path.join(home.venv, "bin/python"), args, { env });
  await python("-m", "pip", "install", "--no-index", "--no-deps", "--quiet", wheel);
  const { stdout } = await python(
    "-I",
    "-c",
    "import sys; print([type(each).__module__ for each in sys.meta_path][0])",
  );
  expect(stdout.trim()).toBe("robot_sdk_startup");
  await python("-m", "pip", "uninstall", "--yes", "--quiet", "robot-sdk");
  expect((await python("-c", "import sys; print('robot_sdk_startup' in sys.modules)")).stdout.trim()).toBe("False");
});
