import type { Terminal } from "../../../assistant/terminal.ts";
import { compareRuns, formatComparison } from "../compare/compare-runs.ts";
import { writeCataloguePage } from "../page-file.ts";
import { parseCatalogueRun } from "../run/runs-folder.ts";

/** A file with its name for messages. */
interface NamedText {
  name: string;
  text: string;
}

/** Whether a text is the JSON of a run over a catalogue, not of a single verdict. */
export function isCatalogueRun(text: string): boolean {
  try {
    return (JSON.parse(text) as { format?: unknown } | null)?.format === "robot-catalogue-run";
  } catch {
    return false;
  }
}

/**
 * `report` of a catalogue: writes its page, and prints what changed since an earlier run.
 * @throws WorkbenchError `bad-request` for a file that is no run, or a page that cannot be written
 */
export async function reportCatalogue(
  terminal: Terminal,
  after: NamedText,
  before: NamedText | null,
  { page, json }: { page: string; json: boolean },
): Promise<void> {
  const run = parseCatalogueRun(after.text, after.name);
  const comparison = before === null ? null : compareRuns(parseCatalogueRun(before.text, before.name), run);
  await writeCataloguePage(page, run, comparison);
  if (json) return terminal.out(`${JSON.stringify(comparison)}\n`);
  if (comparison !== null) terminal.out(formatComparison(comparison));
  terminal.out(`${page}\n`);
}
