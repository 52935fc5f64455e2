import { join } from "node:path";
import { embedData } from "../../common/embed-data.ts";
import { builtPage, writePage } from "../outputs/page-file.ts";
import type { Verdict } from "../verdict/verdict.ts";

/**
 * Writes `report.html` into a folder, whole or not at all.
 * @returns the file's path
 * @throws WorkbenchError `internal` when the page was never built, `bad-request` when the folder cannot be written to
 */
export async function writeReport(verdict: Verdict, folder: string): Promise<string> {
  const file = join(folder, "report.html");
  await writeReportTo(verdict, file);
  return file;
}

/** The same into a file of any name. Throws also `bad-request` when there can be no such file. */
export async function writeReportTo(verdict: Verdict, file: string): Promise<void> {
  await writePage(file, renderReport(verdict, await builtPage("report")));
}

/**
 * A certification as one HTML file that opens without a server or a network.
 * @param page the built page, all of its assets in it
 * @throws Error when the page has no place for a verdict
 */
export function renderReport(verdict: Verdict, page: string): string {
  return embedData(page, "verdict", verdict);
}
