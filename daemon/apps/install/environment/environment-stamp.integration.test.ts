import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sitePackagesOf } from "../../catalogue/installed-apps.ts";
import { answerIn, appsVenvOptions } from "../../testing/apps-venv-options.ts";
import { addDistribution } from "../../testing/distribution.ts";
import { useSeeds, writeSmallSdk } from "../../testing/small-sdk.ts";
import { TEST_UV } from "../../testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "../../testing/test-venv.ts";
import { type AppsVenvOptions, ensureAppsVenv } from "./apps-venv.ts";

const run = promisify(execFile);
/** What an environment is made of: environments are created without an index. */
const wheels = useSeeds();

let home: TestVenv;
let options: AppsVenvOptions;
beforeEach(async () => {
  home = await createTestVenv();
  options = { ...appsVenvOptions(home, wheels), dataDir: path.join(home.root, "data") };
  await mkdir(options.dataDir);
  await writeSmallSdk(options.sdkPath, 1);
});
afterEach(() => home.remove());

test.each(["python3", "no-such-python"])(
  "a folder with files of somebody else is refused, with the Python %s",
  async (python) => {
    const venv = path.join(home.root, "elsewhere/projects");
    await mkdir(venv, { recursive: true });
    const file = path.join(venv, "thesis.txt");
    await writeFile(file, "");
    for (const named of [venv, file])
      await expect(ensureAppsVenv({ ...options, venv: named, python })).rejects.toMatchObject({
        code: "usage",
      });
    expect(await readdir(venv)).toEqual(["thesis.txt"]);
  },
);

test("what a killed program leaves of an environment outside of the data folder is replaced", async () => {
  const killed = path.join(home.root, "elsewhere/killed");
  const uv = path.join(home.root, "copying-uv");
  // Keeps what is there when uv begins, with a file that uv would have made next.
  const copy = `for venv; do :; done; cp -r "$venv" "${killed}"; mkdir -p "${killed}/lib"`;
  await writeFile(uv, `#!/bin/sh\nif [ "$1" = venv ]; then ${copy}; fi\nexec ${TEST_UV} "$@"\n`, { mode: 0o755 });
  await ensureAppsVenv({ ...options, venv: path.join(home.root, "elsewhere/venv"), uv });
  expect(existsSync(path.join(killed, "bin"))).toBe(false);
  await ensureAppsVenv({ ...options, venv: killed });
  expect(await answerIn(killed)).toBe("1");
});

test("a Python environment of somebody else gets the SDK, keeps its packages and is not replaced when its Python is gone", async () => {
  const venv = path.join(home.root, "elsewhere/theirs");
  await mkdir(path.dirname(venv));
  await run(TEST_UV, ["venv", "--seed", "--python", options.python, venv], { env: options.env as NodeJS.ProcessEnv });
  const [sitePackages = ""] = await sitePackagesOf(venv);
  await addDistribution(sitePackages, { name: "theirs", files: { "theirs.py": "" } });
  await ensureAppsVenv({ ...options, venv, python: "not needed" });
  expect([await answerIn(venv), existsSync(path.join(sitePackages, "theirs.py"))]).toEqual(["1", true]);

  const other = path.join(home.root, "python3.1");
  await copyFile(await realpath(path.join(venv, "bin/python")), other);
  for (const target of [other, path.join(home.root, "no-such-python")]) {
    await rm(path.join(venv, "bin/python"));
    await symlink(target, path.join(venv, "bin/python"));
    await expect(ensureAppsVenv({ ...options, venv })).rejects.toMatchObject({
      code: "python-missing",
      message: expect.stringContaining(`${venv} is gone, or is of another version than its packages`),
    });
    expect(existsSync(path.join(sitePackages, "theirs.py"))).toBe(true);
  }
});

test("an environment of somebody else whose pip has constraints is left as it is, with what to do", async () => {
  const venv = path.join(home.root, "elsewhere/theirs");
  await mkdir(path.dirname(venv));
  await run(TEST_UV, ["venv", "--seed", "--python", options.python, venv], { env: options.env as NodeJS.ProcessEnv });
  const settings = path.join(venv, "pip.conf");
  await writeFile(settings, "[global]\nconstraint: /home/ada/constraints.txt\n");
  const before = await readdir(venv);
  const progress: string[] = [];
  const onProgress = (line: string): void => void progress.push(line);
  await expect(ensureAppsVenv({ ...options, venv, onProgress })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(`${settings} sets "constraint"`),
  });
  expect([await readdir(venv), progress]).toEqual([before, []]);
});

test("an environment of somebody else whose Python has no pip is left as it is, with what to do", async () => {
  const venv = path.join(home.root, "elsewhere/ada's own");
  await mkdir(path.dirname(venv));
  await run(TEST_UV, ["venv", "--python", options.python, venv], { env: options.env as NodeJS.ProcessEnv });
  const before = await readdir(venv, { recursive: true });
  const error = await ensureAppsVenv({ ...options, venv }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "usage",
    message: expect.stringMatching(/no pip that runs \(.*No module named pip\)/),
  });
  expect(await readdir(venv, { recursive: true })).toEqual(before);
  const [, command = ""] = /or run: (.+)$/.exec((error as Error).message) ?? [];
  expect((await run("sh", ["-c", `${command} --version`])).stdout).toMatch(/^pip \d/);
});
