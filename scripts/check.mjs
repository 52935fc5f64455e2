// npm run check: types, lint and format, import directions, Python. Prints each step's time; exit code 1 when one fails.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const TEMPLATES = "assistant/create/templates";

const python = existsSync(".venv/bin/ruff")
  ? [
      ["python lint", ".venv/bin/ruff", ["check", "sdk", "fixtures/apps", "fixtures/ecosystem", "scripts/ecosystem"]],
      ["python format", ".venv/bin/ruff", ["format", "--check", "sdk"]],
      ["python types", ".venv/bin/mypy", ["--config-file", "sdk/pyproject.toml", "sdk/src", "sdk/tests"]],
      [
        "python lint of templates",
        ".venv/bin/ruff",
        ["check", "--config", "sdk/pyproject.toml", "assistant/create/templates"],
      ],
      // One at a time, because their packages have the same name.
      ...readdirSync(TEMPLATES).map((name) => [
        `python types of the template ${name}`,
        ".venv/bin/mypy",
        ["--config-file", "sdk/pyproject.toml", `${TEMPLATES}/${name}/template_app`],
      ]),
    ]
  : [];
/** @type {[string, string, string[]][]} */
const steps = [
  ["types", "node_modules/.bin/tsc", ["-p", "tsconfig.json"]],
  ["browser types", "node_modules/.bin/tsc", ["-p", "tsconfig.browser.json"]],
  ["lint and format", "node_modules/.bin/biome", ["check", "."]],
  [
    "import directions",
    "node_modules/.bin/depcruise",
    [
      "common",
      "robot",
      "ui",
      "sim",
      "daemon",
      "assistant",
      "conformance",
      "fixtures/hub/server",
      "--config",
      ".dependency-cruiser.cjs",
    ],
  ],
  .../** @type {[string, string, string[]][]} */ (python),
];

let failed = 0;
for (const [name, command, args] of steps) {
  const began = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (status !== 0) {
    failed += 1;
    console.log(stdout, stderr);
  }
}
process.exit(failed === 0 ? 0 : 1);
