import { embedData } from "../../common/embed-data.ts";
import { builtPage } from "../outputs/page-file.ts";
import type { RunComparison } from "./compare/compare-runs.ts";
import type { CatalogueRun } from "./run/catalogue-run.ts";

/** What the page shows. */
export interface CataloguePageData {
  run: CatalogueRun;
  comparison: RunComparison | null;
}

/** A run as one HTML file that opens without a server or a network. @throws Error when the page has no place for it */
export const renderCataloguePage = (data: CataloguePageData, page: string): string =>
  embedData(page, "catalogue", data);

/** The page of a run as HTML. @throws WorkbenchError `internal` when the page was never built */
export const buildCataloguePage = async (data: CataloguePageData): Promise<string> =>
  renderCataloguePage(data, await builtPage("catalogue"));
