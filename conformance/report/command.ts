import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Command } from "commander";
import type { Terminal } from "../../assistant/terminal.ts";
import { nonEmptyText } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { isCatalogueRun, reportCatalogue } from "../catalogue/command/report-catalogue.ts";
import { compareVerdicts, formatComparison } from "./compare.ts";
import { readVerdict } from "./read-verdict.ts";
import { writeReportTo } from "./write-report.ts";

/** How a gzip file begins; RFC 1952. */
const GZIP = Buffer.from([0x1f, 0x8b]);

const HELP = `
certify writes the same page beside its verdict; this command rebuilds it from the file. It opens in any browser, without a
server or a network. docs/report.md says what it shows.
Exit codes: 0 written; 2 the file cannot be read, is not a verdict or catalogue, or the page cannot be written.

Examples:
  robot-app-assistant report certification/my_app/verdict.json
  robot-app-assistant report verdict.json --out my_app.html
  robot-app-assistant report verdict.json --against yesterday/verdict.json
  robot-app-assistant report catalogue.json --against yesterday/catalogue.json --json`;

/** `report`: makes the page of a certification from its verdict. */
export function reportCommand(terminal: Terminal): Command {
  return new Command("report")
    .description("Make the page of a certification: replays, timelines, every requirement.")
    .argument("<verdict.json>", "the verdict that certify wrote, or the catalogue.json of certify --catalogue")
    .option(
      "--out <file>",
      "the page (default: report.html, or catalogue.html for a catalogue, beside the file)",
      nonEmptyText("a file", "--out report.html"),
    )
    .option(
      "--against <old.json>",
      "an earlier verdict or catalogue: print and show what got better or worse since then",
      nonEmptyText("a file", "--against old.json"),
    )
    .option("--json", "of two catalogues: write the comparison to standard output as JSON")
    .addHelpText("after", HELP)
    .action(async (path: string, { out, against, json }: { out?: string; against?: string; json?: true }) => {
      const source = resolve(terminal.cwd, path);
      const text = await readTextFile(source, path);
      const isCatalogue = isCatalogueRun(text);
      if (json) assertComparesCatalogues(isCatalogue, against);
      const old =
        against === undefined
          ? null
          : { name: against, text: await readTextFile(resolve(terminal.cwd, against), against) };
      if (isCatalogue) {
        const page = out === undefined ? join(dirname(source), "catalogue.html") : resolve(terminal.cwd, out);
        return reportCatalogue(terminal, { name: path, text }, old, { page, json: json ?? false });
      }
      const verdict = readVerdict(text, path);
      const comparison = old === null ? null : compareVerdicts(readVerdict(old.text, old.name), verdict);
      const file = out === undefined ? join(dirname(source), "report.html") : resolve(terminal.cwd, out);
      await writeReportTo(verdict, file, comparison);
      if (comparison !== null) terminal.out(formatComparison(comparison));
      terminal.out(`${file}\n`);
    });
}

/** @throws WorkbenchError `usage` for `--json` where there is no comparison of catalogues */
function assertComparesCatalogues(isCatalogue: boolean, against: string | undefined): void {
  if (!isCatalogue)
    throw new WorkbenchError("usage", "--json compares two catalogues; this file is the verdict of one app.");
  if (against === undefined) throw new WorkbenchError("usage", "--json prints a comparison: add --against OLD.json.");
}

/** Reads a file; also one that gzip has compressed, as the evidence of a catalogue is. */
async function readTextFile(file: string, name: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return String(bytes.subarray(0, 2).equals(GZIP) ? gunzipSync(bytes) : bytes);
  } catch (error) {
    throw new WorkbenchError("bad-request", `${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
