import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Command } from "commander";
import type { Terminal } from "../../assistant/terminal.ts";
import { nonEmptyText } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { readVerdict } from "./read-verdict.ts";
import { writeReportTo } from "./write-report.ts";

const HELP = `
certify writes the same file beside its verdict; this makes it again from the verdict alone. It opens in any browser,
without a server or a network. docs/report.md says what it shows.
Exit codes: 0 written, 2 the verdict cannot be read, is none, or the file cannot be written.

Examples:
  robot-app-assistant report certification/my_app/verdict.json
  robot-app-assistant report verdict.json --out my_app.html`;

/** `report`: makes the page of a certification from its verdict. */
export function reportCommand(terminal: Terminal): Command {
  return new Command("report")
    .description("Make the page of a certification: replays, timelines, every requirement.")
    .argument("<verdict.json>", "the verdict that certify wrote")
    .option(
      "--out <file>",
      "the page (default: report.html beside the verdict)",
      nonEmptyText("a file", "--out report.html"),
    )
    .addHelpText("after", HELP)
    .action(async (path: string, { out }: { out?: string }) => {
      const source = resolve(terminal.cwd, path);
      const text = await readFile(source, "utf8").catch((error: Error) => {
        throw new WorkbenchError("bad-request", `${path} cannot be read: ${error.message}`, { cause: error });
      });
      const verdict = readVerdict(text, path);
      const file = out === undefined ? join(dirname(source), "report.html") : resolve(terminal.cwd, out);
      await writeReportTo(verdict, file);
      terminal.out(`${file}\n`);
    });
}
