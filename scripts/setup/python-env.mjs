// The Python environment of the tests, .venv: the SDK (editable) with the tools that test, lint and type it.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fingerprint, unlessFresh } from "./fingerprint.mjs";
import { run, StepFailed, step } from "./steps.mjs";

/** Makes .venv from sdk/requirements-dev.txt, with uv when it is there, else with venv and pip. */
export async function preparePython() {
  const digest = fingerprint(["sdk/requirements-dev.txt", "sdk/pyproject.toml"]);
  await step("Python environment of the tests", () =>
    unlessFresh(".venv/.installed-requirements", digest, async () => {
      if (spawnSync("python3", ["-c", "import venv, ensurepip"]).status !== 0)
        throw new StepFailed("Python 3.10 or newer with its venv module is needed: apt install python3 python3-venv");
      rmSync(".venv", { recursive: true, force: true });
      const hasUv = spawnSync("uv", ["--version"]).status === 0;
      if (hasUv) await run("uv", ["venv", "--seed", "--quiet", ".venv"]);
      else await run("python3", ["-m", "venv", ".venv"]);
      const install = hasUv
        ? ["uv", "pip", "install", "--quiet", "--python", ".venv/bin/python"]
        : [".venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
      const [command = "", ...args] = install;
      await run(command, [...args, "-r", "sdk/requirements-dev.txt"]);
      await run(command, [...args, "--no-build-isolation", "--no-deps", "-e", "sdk"]);
    }),
  );
}
