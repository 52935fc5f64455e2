import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import writeFileAtomic from "write-file-atomic";
import { embedData } from "../../common/embed-data.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { RunComparison } from "./compare/compare-runs.ts";
import type { CatalogueRun } from "./run/catalogue-run.ts";

/** The built page stands beside the built programs; seen from the sources, in dist/. */
const PLACES = ["../../catalogue-page/index.html", "../../dist/catalogue-page/index.html"];

/** What the page shows. */
export interface CataloguePageData {
  run: CatalogueRun;
  comparison: RunComparison | null;
}

/** A run as one HTML file that opens without a server or a network. @throws Error when the page has no place for it */
export const renderCataloguePage = (data: CataloguePageData, page: string): string =>
  embedData(page, "catalogue", data);

/** The page of a run as HTML. @throws WorkbenchError `internal` when the page was never built */
export async function buildCataloguePage(run: CatalogueRun, comparison: RunComparison | null): Promise<string> {
  const page = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (page === undefined) throw new WorkbenchError("internal", "The catalogue's page is not built; run npm run build.");
  return renderCataloguePage({ run, comparison }, await readFile(page, "utf8"));
}

/**
 * Writes the page of a run, whole or not at all.
 * @throws WorkbenchError as `buildCataloguePage` does, `bad-request` when there can be no such file
 */
export async function writeCataloguePage(
  file: string,
  run: CatalogueRun,
  comparison: RunComparison | null,
): Promise<void> {
  const html = await buildCataloguePage(run, comparison);
  await writeFileAtomic(file, html).catch((error: Error) => {
    throw new WorkbenchError("bad-request", `${file} cannot be written: ${error.message}`, { cause: error });
  });
}
