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

const hasPythonTools = existsSync(".venv/bin/ruff");
/** @type {Step[]} */
const pythonSteps = hasPythonTools
  ? [
      [
        "python lint",
        ".venv/bin/ruff",
        [
          "check",
          "sdk",
          "fixtures/apps",
          "fixtures/control-apps",
          "fixtures/ecosystem",
          "lab/ecosystem",
          "lab/fidelity",
        ],
      ],
      ["python format", ".venv/bin/ruff", ["format", "--check", "sdk"]],
      [
        "python lint of scripts",
        ".venv/bin/ruff",
        // They start within milliseconds, which pathlib and contextlib would double.
        ["check", "--config", "sdk/pyproject.toml", "--extend-ignore", "PTH,SIM105,UP031", ...PYTHON_SCRIPTS],
      ],
      [
        "python format of scripts",
        ".venv/bin/ruff",
        ["format", "--config", "sdk/pyproject.toml", "--check", ...PYTHON_SCRIPTS],
      ],
      ["python types of scripts", ".venv/bin/mypy", ["--config-file", "sdk/pyproject.toml", ...PYTHON_SCRIPTS]],
      ["python types", ".venv/bin/mypy", ["--config-file", "sdk/pyproject.toml", "sdk/src", "sdk/tests"]],
      ["python lint of templates", ".venv/bin/ruff", ["check", "--config", "sdk/pyproject.toml", TEMPLATES]],
      // One at a time, because their packages have the same name.
      ...readdirSync(TEMPLATES).map((name) => pythonTypesOf(name)),
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

/** @param {string} name a template @returns {Step} */
function pythonTypesOf(name) {
  const packageFolder = `${TEMPLATES}/${name}/template_app`;
  return [
    `python types of the template ${name}`,
    ".venv/bin/mypy",
    ["--config-file", "sdk/pyproject.toml", packageFolder],
  ];
}
