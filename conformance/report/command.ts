import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Command } from "commander";
import type { Terminal } from "../../assistant/terminal.ts";
import { nonEmptyText } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { compareVerdicts, formatComparison } from "./compare.ts";
import { readVerdict } from "./read-verdict.ts";
import { writeReportTo } from "./write-report.ts";

const HELP = `
certify writes the same file beside its verdict; this makes it again from the verdict alone. It opens in any browser,
without a server or a network. docs/report.md says what it shows.
Exit codes: 0 written, 2 the verdict cannot be read, is none, or the file cannot be written.

Examples:
  robot-app-assistant report certification/my_app/verdict.json
  robot-app-assistant report verdict.json --out my_app.html
  robot-app-assistant report verdict.json --against yesterday/verdict.json`;

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
    .option(
      "--against <old.json>",
      "an earlier verdict: print and show what got better or worse since then",
      nonEmptyText("a file", "--against old.json"),
    )
    .addHelpText("after", HELP)
    .action(async (path: string, { out, against }: { out?: string; against?: string }) => {
      const source = resolve(terminal.cwd, path);
      const verdict = await readVerdictFile(source, path);
      const old = against === undefined ? null : await readVerdictFile(resolve(terminal.cwd, against), against);
      const comparison = old === null ? null : compareVerdicts(old, verdict);
      const file = out === undefined ? join(dirname(source), "report.html") : resolve(terminal.cwd, out);
      await writeReportTo(verdict, file, comparison);
      if (comparison !== null) terminal.out(formatComparison(comparison));
      terminal.out(`${file}\n`);
    });
}

async function readVerdictFile(file: string, name: string): Promise<Verdict> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new WorkbenchError("bad-request", `${name} cannot be read: ${error.message}`, { cause: error });
  });
  return readVerdict(text, name);
}
