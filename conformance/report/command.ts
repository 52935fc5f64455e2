import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Command } from "commander";
import type { Terminal } from "../../assistant/terminal.ts";
import { nonEmptyText } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { jsonOrNull } from "../../robot/wire/validation/parse-json.ts";
import { compareRuns, formatRunComparison } from "../catalogue/compare/compare-runs.ts";
import { parseCatalogueRun } from "../catalogue/run/runs-folder.ts";
import { cataloguePage } from "../catalogue/tables.ts";
import { writePage } from "../outputs/page-file.ts";
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
  robot-app-assistant report catalogue.json --against yesterday/catalogue.json --json`;

interface ReportFlags {
  out?: string;
  against?: string;
  json?: boolean;
}

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
      "of a catalogue: an earlier one; print and show what got better or worse since then",
      nonEmptyText("a file", "--against old.json"),
    )
    .option("--json", "of two catalogues: write the comparison to standard output as JSON")
    .addHelpText("after", HELP)
    .action(async (path: string, { out, against, json = false }: ReportFlags) => {
      const source = resolve(terminal.cwd, path);
      const after = await readNamedText(source, path);
      const isCatalogue = isCatalogueRun(after);
      assertComparesCatalogues(isCatalogue, against, json);
      const before = against === undefined ? null : await readNamedText(resolve(terminal.cwd, against), against);
      const name = isCatalogue ? "catalogue.html" : "report.html";
      const page = out === undefined ? join(dirname(source), name) : resolve(terminal.cwd, out);
      if (isCatalogue) return reportCatalogue(terminal, page, after, before, json);
      await writeReportTo(readVerdict(after.text, after.name), page);
      terminal.out(`${page}\n`);
    });
}

/** A file with its name for messages. */
interface NamedText {
  name: string;
  text: string;
}

/** Whether a text is the JSON of a run over a catalogue, not of a single verdict. */
const isCatalogueRun = ({ text }: NamedText): boolean =>
  (jsonOrNull(text) as { format?: unknown } | null)?.format === "robot-catalogue-run";

/** Writes the page of a catalogue, and prints it or what changed since an earlier run. */
async function reportCatalogue(
  terminal: Terminal,
  page: string,
  after: NamedText,
  before: NamedText | null,
  json: boolean,
): Promise<void> {
  const run = parseCatalogueRun(after.text, after.name);
  const comparison = before && compareRuns(parseCatalogueRun(before.text, before.name), run);
  await writePage(page, await cataloguePage({ run, comparison }));
  if (json) return terminal.out(`${JSON.stringify(comparison)}\n`);
  if (comparison !== null) terminal.out(formatRunComparison(comparison));
  terminal.out(`${page}\n`);
}

/** @throws WorkbenchError `usage` for `--against` of a verdict, and for `--json` where nothing is compared */
function assertComparesCatalogues(isCatalogue: boolean, against: string | undefined, json: boolean): void {
  if (!isCatalogue && (json || against !== undefined))
    throw new WorkbenchError(
      "usage",
      "--against and --json compare two catalogues; this file is the verdict of one app.",
    );
  if (json && against === undefined)
    throw new WorkbenchError("usage", "--json prints a comparison: add --against OLD.json.");
}

/** Reads a file; also one that gzip has compressed, as the evidence of a catalogue is. */
async function readNamedText(file: string, name: string): Promise<NamedText> {
  try {
    const bytes = await readFile(file);
    return { name, text: String(bytes.subarray(0, 2).equals(GZIP) ? gunzipSync(bytes) : bytes) };
  } catch (error) {
    throw new WorkbenchError("bad-request", `${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
