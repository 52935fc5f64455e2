import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { interpretersHere } from "../../../daemon/apps/install/own/python-versions.ts";
import { cleanEnvironmentFor } from "./environment-for-app.ts";

const CACHE = resolve("artifacts/certification");

async function project(requiresPython: string): Promise<string> {
  const folder = temporaryFolder("robot-needs-python-");
  const entry = '[project.entry-points.robot_apps]\nmy_app = "my_app.main:MyApp"';
  const text = `[project]\nname = "my_app"\nrequires-python = "${requiresPython}"\n${entry}\n`;
  await writeFile(join(folder, "pyproject.toml"), text);
  return folder;
}

const environmentFor = async (requiresPython: string, env: NodeJS.ProcessEnv = process.env) => {
  const host = { env, now: () => Date.now(), signal: new AbortController().signal };
  return cleanEnvironmentFor(await project(requiresPython), CACHE, host, (_name, work) => work());
};

const versionOf = (venv: string): string =>
  execFileSync(join(venv, "bin/python"), ["-c", "import sys, robot_sdk; print('%d.%d' % sys.version_info[:2])"], {
    encoding: "utf8",
  }).trim();

test("an app gets the usual environment, or one with the Python that it asks for", async ({ skip }) => {
  const usual = await environmentFor(">=3.10");
  expect(usual).toBe(join(CACHE, "apps_venv"));
  expect(await environmentFor("is no version")).toBe(usual);
  const here = await interpretersHere(process.env);
  const other = here.found.find(({ version }) => /^3\.1[0-4]\./.test(version) && !version.startsWith(versionOf(usual)));
  if (other === undefined) return skip("this machine has one Python");
  const minor = other.version.split(".").slice(0, 2).join(".");
  const own = await environmentFor(`==${minor}.*`);
  expect([own === usual, versionOf(own)]).toEqual([false, minor]);
});

test("without such a Python, and without uv, it says which one is missing", async () => {
  const { HOME, USER, LANG } = process.env;
  const env = { HOME, USER, LANG, PATH: "/usr/bin:/bin" };
  await expect(environmentFor(">=3.99", env)).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringMatching(/needs Python >=3\.99.*has 3\.\d+/),
  });
});
