import { readFiles } from "../app/read-files.ts";
import { type Report, reportOn } from "../check-app.ts";

/** The app that meets every requirement, and whose changes the tests judge. */
export const HEALTHY = "fixtures/apps/hello_robot";
export const healthyFiles = await readFiles(HEALTHY, new AbortController().signal);

/** The report on the healthy app with some files replaced; null takes one away. */
export function reportWith(changes: Readonly<Record<string, string | null>>): Report {
  const files = new Map(healthyFiles);
  for (const [file, text] of Object.entries(changes)) {
    if (text === null) files.delete(file);
    else files.set(file, text);
  }
  return reportOn(HEALTHY, files);
}
