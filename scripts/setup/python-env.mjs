// The Python environment of the tests, .venv: the SDK (editable) and tools for tests, lint and types.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fingerprint, unlessFresh } from "./fingerprint.mjs";
import { run, StepFailed, step } from "./steps.mjs";

const hasUv = () => spawnSync("uv", ["--version"]).status === 0;

/** The command that installs packages, to append: uv when available, else pip. @param {string} python */
export const installCommand = (python) =>
  hasUv()
    ? ["uv", "pip", "install", "--quiet", "--python", python]
    : [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];

/** Creates .venv from sdk/requirements-dev.txt, with uv when available, else with venv and pip. */
export async function preparePython() {
  const digest = fingerprint(["sdk/requirements-dev.txt", "sdk/pyproject.toml"]);
  await step("Python environment of the tests", () =>
    unlessFresh(".venv/.installed-requirements", digest, async () => {
      if (spawnSync("python3", ["-c", "import venv, ensurepip"]).status !== 0)
        throw new StepFailed("Python 3.10 or newer with its venv module is needed: apt install python3 python3-venv");
      rmSync(".venv", { recursive: true, force: true });
      if (hasUv()) await run("uv", ["venv", "--seed", "--quiet", ".venv"]);
      else await run("python3", ["-m", "venv", ".venv"]);
      const [command = "", ...args] = installCommand(".venv/bin/python");
      await run(command, [...args, "-r", "sdk/requirements-dev.txt"]);
      await run(command, [...args, "--no-build-isolation", "--no-deps", "-e", "sdk"]);
    }),
  );
}
