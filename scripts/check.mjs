// npm run check: types, lint and format, import directions, unused exports, Python. Prints each step's time; exit code 1 when one fails.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { installDependencies } from "./setup/prepare.mjs";
import { PYTHON_SCRIPTS, SOURCE_FOLDERS } from "./setup/source-folders.mjs";
import { script } from "./setup/steps.mjs";

/** Bytes of output of a step. */
const MAX_OUTPUT = 64e6;
const TEMPLATES = "assistant/create/templates";

/** @typedef {[name: string, command: string, args: string[]]} Step */

const SDK_SETTINGS = "sdk/pyproject.toml";
const OTHER_PYTHON = ["fixtures/apps", "fixtures/control-apps", "fixtures/ecosystem", "lab/ecosystem", "lab/fidelity"];

/** @param {string} name @param {string[]} args @returns {Step} */
const ruff = (name, ...args) => [name, ".venv/bin/ruff", args];
/** @param {string} name @param {string[]} paths @returns {Step} */
const mypy = (name, ...paths) => [name, ".venv/bin/mypy", ["--config-file", SDK_SETTINGS, ...paths]];

const hasPythonTools = existsSync(".venv/bin/ruff");
/** @type {Step[]} */
const pythonSteps = hasPythonTools
  ? [
      ruff("python lint", "check", "sdk", ...OTHER_PYTHON),
      ruff("python format", "format", "--check", "sdk"),
      // They start within milliseconds, which pathlib and contextlib would double.
      ruff(
        "python lint of scripts",
        ...["check", "--config", SDK_SETTINGS, "--extend-ignore", "PTH,SIM105,UP031", ...PYTHON_SCRIPTS],
      ),
      ruff("python format of scripts", "format", "--config", SDK_SETTINGS, "--check", ...PYTHON_SCRIPTS),
      mypy("python types of scripts", ...PYTHON_SCRIPTS),
      mypy("python types", "sdk/src", "sdk/tests"),
      ruff("python lint of templates", "check", "--config", SDK_SETTINGS, TEMPLATES),
      // One at a time, because their packages have the same name.
      ...readdirSync(TEMPLATES).map((name) =>
        mypy(`python types of the template ${name}`, `${TEMPLATES}/${name}/template_app`),
      ),
    ]
  : [];
/** @type {Step[]} */
const typeSteps = [
  ["types", "node_modules/.bin/tsc", ["-p", "tsconfig.json"]],
  ["browser types", "node_modules/.bin/tsc", ["-p", "tsconfig.browser.json"]],
];
/** @type {Step[]} */
const otherSteps = [
  ["lint and format", "node_modules/.bin/biome", ["check", "."]],
  [
    "import directions",
    "node_modules/.bin/depcruise",
    [...SOURCE_FOLDERS, "lab", "--config", ".dependency-cruiser.cjs"],
  ],
  ["unused exports", process.execPath, ["scripts/setup/unused-exports.mjs"]],
  ...pythonSteps,
];

let failed = 0;

/** @param {Step[]} steps run one after the other */
async function runSteps(steps) {
  for (const [name, command, args] of steps) {
    const began = Date.now();
    const error = await promisify(execFile)(command, args, { maxBuffer: MAX_OUTPUT }).then(
      () => null,
      (/** @type {Error & { stdout?: string, stderr?: string }} */ thrown) => thrown,
    );
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    console.log(`${error === null ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
    if (error === null) continue;
    failed += 1;
    console.log(error.stdout ?? error.message, error.stderr ?? "");
  }
}
// Types and imports of packages that the lock file has since the last install.
await script(installDependencies);
await Promise.all([runSteps(typeSteps), runSteps(otherSteps)]);
if (!hasPythonTools) console.log("skip python: no .venv/bin/ruff; npm run setup installs it");
process.exit(failed === 0 ? 0 : 1);
