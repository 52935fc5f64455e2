// The Python environment of the tests, .venv: the SDK (editable), uv, and tools for tests, lint and types.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { fingerprint, unlessFresh } from "./fingerprint.mjs";
import { interruption, run, StepFailed, step } from "./steps.mjs";

const REQUIREMENTS = "sdk/requirements-dev.txt";
/** The uv of the tests' environment. */
const OWN_UV = ".venv/bin/uv";

/** A folder with that uv and nothing else. */
const UV_FOLDER = resolve(".venv/uv");

/**
 * Environment variables with which programs find the uv of the tests. It takes a tenth of pip's time, so pip installs only
 * where a test is about pip.
 * @param {NodeJS.ProcessEnv} env
 */
export const withUv = ({ PATH = "", ...env }) => ({
  ...env,
  PATH: [UV_FOLDER, ...PATH.split(delimiter).filter((folder) => folder !== UV_FOLDER)].join(delimiter),
});

/** The command that installs packages, to append; like pip, it trusts the system's certificates. @param {string} python */
export const installCommand = (python) => [OWN_UV, "pip", "install", "--system-certs", "--quiet", "--python", python];

/** Creates .venv from sdk/requirements-dev.txt. Only uv itself is installed with pip, which takes several times as long. */
export async function preparePython() {
  const digest = fingerprint([REQUIREMENTS, "sdk/pyproject.toml", "scripts/setup/python-env.mjs"]);
  await step("Python environment of the tests", () =>
    unlessFresh(".venv/.installed-requirements", digest, async () => {
      if (!works(OWN_UV)) await createEnvironment();
      const [command = "", ...args] = installCommand(".venv/bin/python");
      await run(command, [...args, "-r", REQUIREMENTS]);
      await run(command, [...args, "--no-build-isolation", "--no-deps", "-e", "sdk"]);
      await compile(".venv/lib");
    }),
  );
  await compile("sdk/src");
  // Kept where it works: a program that runs beside would find no uv meanwhile.
  if (works(`${UV_FOLDER}/uv`)) return;
  rmSync(UV_FOLDER, { recursive: true, force: true });
  mkdirSync(UV_FOLDER);
  symlinkSync(resolve(OWN_UV), `${UV_FOLDER}/uv`);
}

/**
 * Compiles the Python modules below a folder, of which uv compiles nothing. Hundreds of tests start Python, and a start takes
 * twice the time while it compiles: each does where PYTHONDONTWRITEBYTECODE is set, as in many containers.
 * @param {string} folder
 */
async function compile(folder) {
  await run(".venv/bin/python", ["-m", "compileall", "-q", "-q", "-j", "0", folder]).catch((error) => {
    // Some packages have files for other versions of Python, which never run here.
    if (interruption.signal.aborted) throw error;
  });
}

async function createEnvironment() {
  if (!works("python3", "-c", "import venv, ensurepip"))
    throw new StepFailed(
      `Python 3.10 or newer with its venv module is needed: ${process.platform === "darwin" ? "brew install python" : "apt install python3 python3-venv"}`,
    );
  rmSync(".venv", { recursive: true, force: true });
  await run("python3", ["-m", "venv", ".venv"]);
  const uv = readFileSync(REQUIREMENTS, "utf8").match(/^uv==.*$/m)?.[0] ?? "uv";
  await run(".venv/bin/python", ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", uv]);
}

/** @param {string} program @param {string[]} args */
const works = (program, ...args) => spawnSync(program, args.length > 0 ? args : ["--version"]).status === 0;
