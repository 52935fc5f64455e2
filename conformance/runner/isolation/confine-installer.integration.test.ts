import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { cleanEnvironment } from "../app/clean-environment.ts";
import { installInCleanEnvironment } from "../app/install-app.ts";
import { probeIsolation } from "./probe-isolation.ts";

const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };

/** A build that changes whatever of the environment it can, and puts a file into it that each start of Python runs. */
const setupScript = (outside: string) => `
import pathlib, sys, sysconfig
from setuptools import setup

site = pathlib.Path(sysconfig.get_path("purelib"))
outside = ${JSON.stringify(outside)}
line = f"import os; os.path.isdir({outside!r}) and open({outside + '/ran'!r}, 'w').close()\\n"
def attempt(change):
    try:
        change()
    except OSError:
        pass
attempt(lambda: open(site / "robot_sdk/__init__.py", "a").write("\\nraise SystemExit(3)\\n"))
attempt(lambda: (site / "of_the_build.pth").write_text(line))
attempt(lambda: pathlib.Path(sys.executable).unlink())
setup()
`;

test("a uv that does not start in the sandbox, as the script of a version manager, is not used", async ({ skip }) => {
  const clean = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  const isolation = await probeIsolation({ venv: clean, allowNetwork: false, host });
  if (isolation.bubblewrap === null) return skip(isolation.reason ?? "");
  const outside = temporaryFolder("robot-confine-");
  await mkdir(join(outside, "shims"));
  await writeFile(join(outside, "uv"), "#!/bin/sh\necho uv 1.0\n", { mode: 0o755 });
  await writeFile(join(outside, "shims/uv"), `#!/bin/sh\nexec ${outside}/uv "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${outside}/shims:${process.env.PATH}` };
  const folder = join(outside, "steady_app");
  await cp("fixtures/apps/steady_app", folder, { recursive: true });
  const into = join(outside, "into");
  const options = { clean, folder, into, isolation, buildsAgain: false, host: { ...host, env } };
  const { facts } = await installInCleanEnvironment(options);
  expect(facts.refusal).toBeNull();
});

/** What a build could change in an environment. */
async function stateOf(venv: string) {
  const [sitePackages = ""] = await sitePackagesOf(venv);
  return {
    sdk: await readFile(join(sitePackages, "robot_sdk/__init__.py"), "utf8"),
    python: await readlink(join(venv, "bin/python")),
    startupFiles: (await readdir(sitePackages)).filter((name) => name.endsWith(".pth")),
  };
}

test("a build can change neither the environment nor the clean one, and nothing of it runs outside of the sandbox", async ({
  skip,
}) => {
  const clean = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  const isolation = await probeIsolation({ venv: clean, allowNetwork: false, host });
  if (isolation.bubblewrap === null) return skip(isolation.reason ?? "");
  const outside = temporaryFolder("robot-confine-");
  const folder = join(outside, "steady_app");
  await cp("fixtures/apps/steady_app", folder, { recursive: true });
  await writeFile(join(folder, "setup.py"), setupScript(outside));
  const before = await stateOf(clean);
  const into = join(outside, "into");
  const options = { clean, folder, into, isolation, buildsAgain: true, host };
  const { venv, facts, app, secondBuild } = await installInCleanEnvironment(options);
  expect(await secondBuild).toMatchObject({ remains: [] });
  expect([facts.refusal, app?.name]).toEqual([null, "steady_app"]);
  expect(await stateOf(clean)).toEqual(before);
  expect(await stateOf(venv)).toEqual(before);
  expect(existsSync(join(outside, "ran"))).toBe(false);
});
