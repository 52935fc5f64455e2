import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import writeFileAtomic from "write-file-atomic";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Verdict } from "../verdict/verdict.ts";
import type { Comparison } from "./compare.ts";
import { renderReport } from "./report.ts";

/** The built page stands beside the built programs; seen from the sources, in dist/. */
const PLACES = ["../../report-page/index.html", "../../dist/report-page/index.html"];

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
export async function writeReportTo(
  verdict: Verdict,
  file: string,
  comparison: Comparison | null = null,
): Promise<void> {
  const html = renderReport(verdict, await builtPage(), comparison);
  await writeFileAtomic(file, html).catch((error: Error) => {
    throw new WorkbenchError("bad-request", `${file} cannot be written: ${error.message}`, { cause: error });
  });
}

/** The built page, waiting for a verdict. */
export async function builtPage(): Promise<string> {
  const page = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (page === undefined) throw new WorkbenchError("internal", "The report's page is not built; run npm run build.");
  return readFile(page, "utf8");
}
