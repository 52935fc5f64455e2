import { resolve } from "node:path";
import { Command } from "commander";
import { checkApp, type Report } from "../check/check-app.ts";
import { showReport } from "../check/show.ts";
import { EXIT, type Terminal } from "../terminal.ts";

const HELP = `
The app is read, not run. All requirements are checked; docs/checks.md explains each. Exit codes: 0 a robot app (warnings
and what could not be told are no obstacle), 1 a MUST is not met, 2 there is no such folder, 3 the check itself broke.

Examples:
  robot-app-assistant check .
  robot-app-assistant check my_app --json | jq '.results[] | select(.status == "fail")'`;

const CODES: Readonly<Record<Report["verdict"], number>> = {
  conformant: EXIT.done,
  "not-conformant": EXIT.no,
  error: EXIT.unavailable,
};

/** `check`: tells whether a folder is a robot app, and what to mend when it is not. */
export function checkCommand(terminal: Terminal): Command {
  return new Command("check")
    .description("Check an app's structure, entry point, metadata and code.")
    .argument("<path_to_app>", "the app's folder, where its pyproject.toml is")
    .option("--json", "write one JSON object")
    .addHelpText("after", HELP)
    .action(async (path: string, { json }: { json?: true }) => {
      const report = await checkApp(resolve(terminal.cwd, path), terminal.signal);
      terminal.out(json ? `${JSON.stringify(report)}\n` : showReport(report, terminal.colour));
      terminal.exit(CODES[report.verdict]);
    });
}
