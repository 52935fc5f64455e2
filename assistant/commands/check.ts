import { resolve } from "node:path";
import { Command } from "commander";
import { type CheckReport, checkApp } from "../check/check-app.ts";
import { formatReport } from "../check/format-report.ts";
import { EXIT, type Terminal } from "../terminal.ts";

const HELP = `
The app is read, not run. docs/checks.md explains each requirement. Exit codes: 0 a robot app (also with warnings or
skipped requirements), 1 a MUST is not met, 2 no such folder, 3 the check itself broke.

Examples:
  robot-app-assistant check .
  robot-app-assistant check my_app --json | jq '.results[] | select(.status == "fail")'`;

const EXIT_CODES: Readonly<Record<CheckReport["verdict"], number>> = {
  conformant: EXIT.ok,
  "not-conformant": EXIT.failed,
  error: EXIT.unavailable,
};

/** `check`: reports whether a folder is a robot app, and what to fix when it is not. */
export function checkCommand(terminal: Terminal): Command {
  return new Command("check")
    .description("Check an app's structure, entry point, metadata and code.")
    .argument("<path_to_app>", "the app's folder, where its pyproject.toml is")
    .option("--json", "write one JSON object")
    .addHelpText("after", HELP)
    .action(async (path: string, { json }: { json?: true }) => {
      const report = await checkApp(resolve(terminal.cwd, path), terminal.signal);
      terminal.out(json ? `${JSON.stringify(report)}\n` : formatReport(report, terminal.colour));
      terminal.exit(EXIT_CODES[report.verdict]);
    });
}
