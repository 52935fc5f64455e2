import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireLock, isAcquired } from "../../../../common/files/process-lock.ts";
import { installHint } from "../../../../common/machine/install-hint.ts";
import { UNREACHABLE_HUB } from "../../../../common/machine/offline.ts";
import { systemClock } from "../../../../common/time/clock.ts";
import { sitePackagesOf } from "../../catalogue/installed-apps.ts";
import { answerIn, appsVenvOptions } from "../../testing/apps-venv-options.ts";
import { addDistribution } from "../../testing/distribution.ts";
import { useSeeds, writeSmallSdk } from "../../testing/small-sdk.ts";
import { TEST_UV } from "../../testing/test-installer.ts";
import { createTestVenv, folderWithAnyCharacters, type TestVenv } from "../../testing/test-venv.ts";
import { type AppsVenvOptions, ensureAppsVenv, isSdkUpToDate } from "./apps-venv.ts";
import { emptyForCreation } from "./environment-stamp.ts";

/** What an environment is made of: environments are created without an index. */
const wheels = useSeeds();

let home: TestVenv;
let options: AppsVenvOptions;
beforeEach(async () => {
  home = await createTestVenv();
  options = appsVenvOptions(home, wheels);
});
afterEach(() => home.remove());

const writeSdk = (answer: number) => writeSmallSdk(options.sdkPath, answer);

test.each([
  ["pip", null],
  ["uv", TEST_UV],
])(
  "with %s, the environment is created with the SDK (anew when an incomplete one was left), kept, updated and repaired",
  async (_, uv) => {
    options.uv = uv;
    const incomplete = path.join(home.root, "apps_venv/lib/incomplete");
    await mkdir(incomplete, { recursive: true });
    await writeSdk(1);
    const { venv, upToDate } = await ensureAppsVenv(options);
    expect({ venv, upToDate }).toEqual({ venv: path.join(home.root, "apps_venv"), upToDate: false });
    expect(await answerIn(venv)).toBe("1");
    expect(existsSync(incomplete)).toBe(false);
    expect((await ensureAppsVenv({ ...options, python: "not needed any more" })).upToDate).toBe(true);

    await writeSdk(2);
    expect((await ensureAppsVenv({ ...options, python: "not needed any more" })).upToDate).toBe(false);
    expect(await answerIn(venv)).toBe("2");

    const [sitePackages = ""] = await sitePackagesOf(venv);
    const module = path.join(sitePackages, "robot_sdk/__init__.py");
    await writeFile(module, "answer = 'replaced'\n");
    expect((await ensureAppsVenv({ ...options, python: "not needed any more" })).upToDate).toBe(false);
    expect(await answerIn(venv)).toBe("2");

    const moved = path.join(home.root, "moved");
    await rename(venv, moved);
    const there = { ...options, venv: moved, python: "not needed any more" };
    expect((await ensureAppsVenv(there)).upToDate).toBe(false);
    const settings = await readFile(path.join(moved, "pip.conf"), "utf8");
    expect(settings).toContain(`${pathToFileURL(moved).href}/robot-sdk/constraints.txt`);
    expect((await ensureAppsVenv(there)).upToDate).toBe(true);
  },
);

test.each([
  ["pip", null],
  ["uv", TEST_UV],
])("with %s, the environment is created in a folder with any characters in its path", async (_, uv) => {
  const there = await createTestVenv(await folderWithAnyCharacters(home.root));
  options = { ...appsVenvOptions(there, wheels), uv };
  await writeSdk(1);
  const { venv } = await ensureAppsVenv(options);
  expect([await answerIn(venv), (await ensureAppsVenv(options)).upToDate]).toEqual(["1", true]);
});

test("an environment with apps in it is repaired, left as it is when its Python is slow, or renamed when it is gone, and never deleted", async () => {
  await writeSdk(1);
  const { venv } = await ensureAppsVenv(options);
  const [sitePackages = ""] = await sitePackagesOf(venv);
  await addDistribution(sitePackages, { name: "waver", files: { "waver.py": "" }, entryPoint: "waver = waver:Waver" });
  const renamed: string[] = [];
  const again = { ...options, onRenamed: (text: string) => void renamed.push(text) };

  await writeFile(path.join(venv, "robot-sdk.json"), "{");
  expect((await ensureAppsVenv(again)).upToDate).toBe(false);
  expect([existsSync(path.join(sitePackages, "waver.py")), renamed]).toEqual([true, []]);

  await writeFile(path.join(venv, "robot-sdk.json"), "{");
  await expect(ensureAppsVenv({ ...again, answerMs: 1 })).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining("Try again when this computer is less busy"),
  });
  expect([existsSync(path.join(sitePackages, "waver.py")), renamed]).toEqual([true, []]);

  for (const name of await readdir(path.join(venv, "bin")))
    if (name.startsWith("python")) await rm(path.join(venv, "bin", name));
  await expect(ensureAppsVenv({ ...again, python: "no-such-python" })).rejects.toMatchObject({
    code: "python-missing",
  });
  expect(existsSync(path.join(sitePackages, "waver.py"))).toBe(true);

  expect((await ensureAppsVenv(again)).upToDate).toBe(false);
  expect(renamed).toEqual([expect.stringContaining("Install its app waver again; the old environment is ")]);
  const kept = renamed[0]?.match(/environment is (.+)\.$/)?.[1] ?? "";
  expect(existsSync(path.join(sitePackages.replace(venv, kept), "waver.py"))).toBe(true);
  expect(await answerIn(venv)).toBe("1");
});

test("after a creation that was killed, the next one tells where the apps are, and restores them when it fails", async () => {
  await writeSdk(1);
  const { venv } = await ensureAppsVenv(options);
  const [sitePackages = ""] = await sitePackagesOf(venv);
  await addDistribution(sitePackages, { name: "waver", files: { "waver.py": "" }, entryPoint: "waver = waver:Waver" });
  const kept = `${venv}-kept`;
  const leaveAsKilled = async () => {
    await rename(venv, kept);
    await emptyForCreation(venv, options.dataDir, kept);
  };
  const renamed: string[] = [];
  const again = { ...options, onRenamed: (text: string) => void renamed.push(text) };

  await leaveAsKilled();
  await expect(ensureAppsVenv({ ...again, uv: "no-such-uv" })).rejects.toThrow();
  expect([existsSync(path.join(sitePackages, "waver.py")), existsSync(kept), renamed]).toEqual([true, false, []]);

  await leaveAsKilled();
  expect((await ensureAppsVenv(again)).upToDate).toBe(false);
  expect(renamed).toEqual([expect.stringContaining(`Install its app waver again; the old environment is ${kept}.`)]);
  await rm(venv, { recursive: true });
  expect((await ensureAppsVenv(again)).upToDate).toBe(false);
  expect(renamed).toHaveLength(1);
});

test("an environment whose Python leads to another version is created anew", async () => {
  await writeSdk(1);
  const { venv } = await ensureAppsVenv(options);
  const program = await realpath(path.join(venv, "bin/python"));
  const other = path.join(home.root, "python3.1");
  await copyFile(program, other);
  await rm(path.join(venv, "bin/python"));
  await symlink(other, path.join(venv, "bin/python"));
  expect(await isSdkUpToDate(venv, options.sdkPath)).toBe(false);
  expect((await ensureAppsVenv(options)).upToDate).toBe(false);
  expect(await realpath(path.join(venv, "bin/python"))).toBe(program);
  expect(await answerIn(venv)).toBe("1");
});

test("an SDK that cannot be installed leaves the version that pip takes as it was", async () => {
  await writeSdk(1);
  const { venv } = await ensureAppsVenv(options);
  const constraints = path.join(venv, "robot-sdk/constraints.txt");
  const before = [await readFile(constraints, "utf8"), await readdir(path.dirname(constraints))];
  await writeSdk(2);
  const project = path.join(options.sdkPath, "pyproject.toml");
  const text = await readFile(project, "utf8");
  await writeFile(project, text.replace(/version = ".*"/, 'version = "9.0"\ndependencies = ["not-in-any-index"]'));
  await expect(ensureAppsVenv(options)).rejects.toMatchObject({ name: "WorkbenchError" });
  expect([await readFile(constraints, "utf8"), await readdir(path.dirname(constraints))]).toEqual(before);
});

test("nothing is left of an environment whose creation is cancelled", async () => {
  await writeSdk(1);
  const controller = new AbortController();
  const why = new Error("Ctrl-C");
  const onProgress = (): void => controller.abort(why);
  await expect(ensureAppsVenv({ ...options, signal: controller.signal, onProgress })).rejects.toBe(why);
  expect(await readdir(home.root)).toEqual(
    (await readdir(home.root)).filter((name) => !/apps_venv|staging/.test(name)),
  );
});

test.runIf(process.platform === "linux")(
  "without a network, the creation is not waited for, and nothing of it is left",
  async () => {
    await writeSdk(1);
    const python = path.join(home.root, "slow-python");
    const script = `#!/bin/sh\n[ "$1 $2" = "-m venv" ] && mkdir -p "$3" && exec sleep 3600\nexec ${options.python} "$@"\n`;
    await writeFile(python, script, { mode: 0o755 });
    const index = { PIP_INDEX_URL: `${UNREACHABLE_HUB}/simple`, PIP_CONFIG_FILE: "/dev/null" };
    const env = { PATH: process.env.PATH, HOME: home.root, ...index };
    await expect(ensureAppsVenv({ ...options, uv: null, python, env })).rejects.toMatchObject({
      code: "index-unreachable",
      message: expect.stringContaining("check the network"),
    });
    expect(existsSync(path.join(home.root, "apps_venv"))).toBe(false);
  },
);

test("the error says what to install when there is no Python", async () => {
  await writeSdk(1);
  await expect(ensureAppsVenv({ ...options, python: "no-such-python" })).rejects.toMatchObject({
    code: "python-missing",
    message: `There is no program no-such-python: ${installHint("python")}. ROBOT_PYTHON names another Python.`,
  });
});

test("the error says what to install when Python has no venv module", async () => {
  await writeSdk(1);
  const python = path.join(home.root, "python-without-venv");
  await writeFile(python, `#!/bin/sh\nexec "${options.python}" -c "raise ImportError('No module named venv')"\n`, {
    mode: 0o755,
  });
  await expect(ensureAppsVenv({ ...options, python })).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining(`has no venv module: ${installHint("python")}`),
  });
});

test.each([
  ["kill -9 $$", undefined, "was ended by SIGKILL. Nothing was changed. Try again"],
  ["exec sleep 3600", 200, "did not answer within 0.2 s. Nothing was changed. Try again"],
])("a Python that does not answer is not taken for one without a venv module: %s", async (script, answerMs, text) => {
  await writeSdk(1);
  const python = path.join(home.root, "busy-python");
  await writeFile(python, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await expect(ensureAppsVenv({ ...options, python, answerMs })).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining(`${python} ${text}`),
  });
});

test("a Python that is no program is not taken for one without a venv module", async () => {
  await writeSdk(1);
  const python = path.join(options.sdkPath, "pyproject.toml");
  await expect(ensureAppsVenv({ ...options, python })).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining(`${python} does not run (EACCES)`),
  });
});

test("an environment that another program has updated meanwhile is not changed again", async () => {
  await writeSdk(1);
  const { venv } = await ensureAppsVenv(options);
  const stamp = path.join(venv, "robot-sdk.json");
  await rename(stamp, `${stamp}.kept`);
  const lock = await acquireLock(`${venv}.lock`, "");
  // The other program is done when this one waits for it.
  const after: typeof systemClock.after = (_ms, callback) => {
    void rename(`${stamp}.kept`, stamp)
      .then(() => (isAcquired(lock) ? lock.release() : undefined))
      .then(callback);
    return () => {};
  };
  const lines: string[] = [];
  const onProgress = (line: string) => lines.push(line);
  const again = await ensureAppsVenv({ ...options, clock: { ...systemClock, after }, onProgress });
  expect([again.upToDate, lines]).toEqual([true, []]);
});

test("refuses to change an environment that another program is changing", async () => {
  await writeSdk(1);
  const lock = await acquireLock(path.join(home.root, "apps_venv.lock"), "");
  await expect(ensureAppsVenv(options)).rejects.toMatchObject({ code: "app-busy" });
  if (isAcquired(lock)) await lock.release();
});

test("pip's files are compiled, also where a package has a file that is no Python of this version", async () => {
  await writeSdk(1);
  await writeFile(path.join(options.sdkPath, "src/robot_sdk/old.py"), "print 1\n");
  const { venv } = await ensureAppsVenv({ ...options, uv: null });
  const [sitePackages = ""] = await sitePackagesOf(venv);
  const compiled = await readdir(path.join(sitePackages, "robot_sdk/__pycache__"));
  expect(compiled).toEqual([expect.stringMatching(/^__init__\.cpython-\d+\.pyc$/)]);
  expect(await answerIn(venv)).toBe("1");
});
