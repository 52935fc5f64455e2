// The wheel and the source distribution of robot-sdk, which the package takes along.
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fingerprint, unlessFresh } from "./fingerprint.mjs";
import { run, step } from "./steps.mjs";

/** Folder of both files in the package. */
const SDK_PACKAGES = "dist/sdk";
/** Calls setuptools as installers do (PEP 517). The wheel and the sdist go to the folder of the first argument. */
const BUILD = `
import sys
from setuptools import build_meta
folder = sys.argv[1]
build_meta.build_wheel(folder)
build_meta.build_sdist(folder)
`;
/** Time of all files in the archives, in seconds since 1970: equal sources give equal wheels. */
const SOURCE_DATE = 1_704_067_200;
const LEFT_OUT = /^(tests|build|dist|__pycache__|.*\.egg-info|\..*_cache|api_page\.py|requirements-dev\.txt)$/;

/** Builds both into dist/sdk with the tests' Python environment, once per state of the SDK. */
export async function buildSdkPackages() {
  const digest = fingerprint(["sdk/pyproject.toml", "sdk/setup.py", "sdk/MANIFEST.in", "sdk/README.md", "sdk/src"]);
  await step("Python package robot-sdk", () =>
    unlessFresh(`${SDK_PACKAGES}/.built-sources`, digest, async () => {
      rmSync(SDK_PACKAGES, { recursive: true, force: true });
      // In a copy, because setuptools builds in the project's folder.
      const copy = mkdtempSync(join(tmpdir(), "robot-sdk-"));
      try {
        cpSync("sdk", copy, { recursive: true, filter: (file) => !LEFT_OUT.test(file.split("/").at(-1) ?? "") });
        setTimes(copy);
        await run(resolve(".venv/bin/python"), ["-c", BUILD, resolve(SDK_PACKAGES)], {
          cwd: copy,
          env: { ...process.env, SOURCE_DATE_EPOCH: String(SOURCE_DATE) },
        });
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    }),
  );
}

/** @param {string} folder */
function setTimes(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) setTimes(path);
    utimesSync(path, SOURCE_DATE, SOURCE_DATE);
  }
}
