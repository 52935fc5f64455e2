import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { InstalledApps } from "../apps/catalogue/installed-apps.ts";
import { ownVenvOf } from "../apps/catalogue/own-venvs.ts";
import { addDistribution } from "../apps/testing/distribution.ts";
import { writeProject } from "../apps/testing/project.ts";
import { useSeeds, writeSmallSdk } from "../apps/testing/small-sdk.ts";
import { WITHOUT_INDEX } from "../apps/testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "../apps/testing/test-venv.ts";
import { prepareEnvironmentOrKeep } from "../start/prepare.ts";
import type { CommandContext } from "./command-context.ts";
import { install } from "./install.ts";

/** What an environment is made of: environments are created without an index. */
const wheels = useSeeds();

const RENAMED = /The Python of the apps' environment does not run .* Install its app waver again; .*\/venv-\d{4}-/;

let home: TestVenv;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  home = await createTestVenv();
  env = { ...WITHOUT_INDEX, HOME: home.root, PIP_FIND_LINKS: wheels, UV_FIND_LINKS: wheels };
  env.ROBOT_PYTHON = path.resolve(".venv/bin/python");
  await writeSmallSdk(path.join(home.root, "sdk"), 1);
  const waver = { name: "waver", files: { "waver.py": "" }, entryPoint: "waver = waver:Waver" };
  await addDistribution(home.sitePackages, waver);
  await rm(path.join(home.venv, "bin/python"));
  await writeFile(path.join(home.venv, "robot-sdk.json"), '{ "sdk": "an earlier one", "created": true }');
});
afterEach(() => home.remove());

test("an install that creates the environment anew tells which apps are to be installed again", async () => {
  const source = path.join(home.root, "my_app");
  await mkdir(source);
  await writeProject(source, { name: "my_app" });
  const reported: string[] = [];
  const context: Partial<CommandContext> = {
    env,
    packageDir: home.root,
    print: () => {},
    report: (text) => void reported.push(text),
    commandFor: (program) => program,
    isInteractive: false,
    showsProgress: false,
    interrupted: new AbortController().signal,
  };
  const given = { command: "install", isolated: false, json: false, dataDir: home.root, venv: home.venv } as const;
  await install({ ...given, source, hubUrl: PUBLIC_HUB }, context as CommandContext);
  expect(reported.join("")).toMatch(RENAMED);
  expect((await new InstalledApps(home.venv).list()).map(({ info }) => info.name)).toEqual(["my_app"]);
});

test("a daemon tells it also when the environment of a single app cannot be updated after that", async () => {
  const own = await createTestVenv();
  const venv = ownVenvOf(home.root, "other");
  await mkdir(path.dirname(venv));
  await rename(own.venv, venv);
  await own.remove();
  await writeFile(path.join(venv, "robot-sdk.json"), '{ "sdk": "an earlier one" }');
  await writeFile(path.join(venv, "pip.conf"), "[install]\nconstraint = /home/ada/constraints.txt\n");
  const { problem } = await prepareEnvironmentOrKeep({
    dataDir: home.root,
    venv: home.venv,
    sdkFolder: path.join(home.root, "sdk"),
    env,
    step: (_, work) => work(),
  });
  expect(problem).toMatch(RENAMED);
  expect(problem).toContain('sets "constraint"');
});
