import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

export interface TestVenv {
  /** A new folder that contains everything else. */
  root: string;
  venv: string;
  sitePackages: string;
  /**
   * Adds an app of `fixtures/apps` with the metadata that an installer writes.
   * @param editable a folder with another copy of the app, which counts as installed from there as editable
   */
  add(app: string, editable?: string): Promise<void>;
  /** Adds the SDK and what it needs, from the tests' own environment. */
  addSdk(): Promise<void>;
  /** Adds pip and setuptools from the tests' own environment. */
  addTools(): Promise<void>;
  remove(): Promise<void>;
}

/** All that stands for something else in a shell, in requirements, settings or templates, and letters beyond ASCII. */
const CHARACTERS = "a $base $HOME {base} {} %d %%s ~ 'b\" \\ # & ; ( ) [ ] < > | * ? ! ^ = , + @ ` \t é e\u0301 中 🤖";

/**
 * Makes a folder with many kinds of characters in its name; without a colon, which Python refuses in the path of an
 * environment, and without a line break.
 * @returns its path
 */
export async function folderWithAnyCharacters(parent: string): Promise<string> {
  const folder = path.join(parent, CHARACTERS);
  await mkdir(folder);
  return folder;
}

let interpreter: Promise<{ executable: string; version: string }> | null = null;

/** Creates a Python environment of three files with the real interpreter, which takes no time. */
export async function createTestVenv(parent?: string): Promise<TestVenv> {
  interpreter ??= findInterpreter();
  const { executable, version } = await interpreter;
  const root = await mkdtemp(path.join(parent ?? (await realpath(tmpdir())), "robot-apps-"));
  const venv = path.join(root, "venv");
  const packages = (of: string) => path.join(of, "lib", `python${version}`, "site-packages");
  const sitePackages = packages(venv);
  await mkdir(sitePackages, { recursive: true });
  await mkdir(path.join(venv, "bin"));
  await symlink(executable, path.join(venv, "bin", "python"));
  await writeFile(path.join(venv, "pyvenv.cfg"), `home = ${path.dirname(executable)}\n`);
  return {
    root,
    venv,
    sitePackages,
    add: (app, editable) => addApp(sitePackages, app, editable),
    addSdk: () =>
      writeFile(path.join(sitePackages, "sdk.pth"), `${packages(path.resolve(".venv"))}\n${path.resolve("sdk/src")}\n`),
    addTools: () => addTools(packages(path.resolve(".venv")), path.join(root, "tools"), sitePackages),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

async function findInterpreter(): Promise<{ executable: string; version: string }> {
  const ask = "import os, sys; print(os.path.realpath(sys.executable), '%d.%d' % sys.version_info[:2])";
  const { stdout } = await promisify(execFile)(path.resolve(".venv/bin/python"), ["-c", ask]);
  const [executable = "", version = ""] = stdout.trim().split(" ");
  return { executable, version };
}

async function addApp(sitePackages: string, app: string, editable?: string): Promise<void> {
  const folder = editable ?? path.resolve("fixtures/apps", app);
  await symlink(path.join(folder, app), path.join(sitePackages, app));
  const info = path.join(sitePackages, `${app}-1.0.0.dist-info`);
  await mkdir(info);
  if (editable !== undefined) {
    const direct = { url: pathToFileURL(editable).href, dir_info: { editable: true } };
    await writeFile(path.join(info, "direct_url.json"), JSON.stringify(direct));
  }
  await writeFile(
    path.join(info, "METADATA"),
    `Metadata-Version: 2.1\nName: ${app}\nVersion: 1.0.0\nSummary: A test\n`,
  );
  const pyproject = await readFile(path.resolve("fixtures/apps", app, "pyproject.toml"), "utf8");
  const point = /^\w+ = "(\w+\.main:\w+)"$/m.exec(pyproject)?.[1];
  await writeFile(path.join(info, "entry_points.txt"), `[robot_apps]\n${app} = ${point}\n`);
}

/**
 * Symbolic links to folders outside of the environment: an install links each file of an environment, and these are two
 * thousand. They lead to hard links, because a test that replaces a file of pip must not replace that of the tests' own
 * environment.
 */
async function addTools(from: string, tools: string, to: string): Promise<void> {
  const packages = /^(pip|setuptools|pkg_resources|_distutils_hack|distutils-precedence\.pth)(-.*\.dist-info)?$/;
  const found = (await readdir(from)).filter((name) => packages.test(name));
  await mkdir(tools);
  const files = found.map((name) => path.join(from, name));
  const copy = (...options: string[]) => promisify(execFile)("cp", [...options, ...files, tools]);
  await copy("--archive", "--link").catch(() => copy("--archive", "--force"));
  for (const name of found) await symlink(path.join(tools, name), path.join(to, name));
}
