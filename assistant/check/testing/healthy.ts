import { readFiles } from "../app/read-files.ts";
import { type CheckReport, checkFiles } from "../check-app.ts";

/** The app that meets every requirement; tests break it one change at a time. */
const HEALTHY = "fixtures/apps/hello_robot";
export const healthyFiles = await readFiles(HEALTHY, new AbortController().signal);

/** The report on the healthy app with some files replaced; null deletes one. */
export function reportWith(changes: Readonly<Record<string, string | null>>): Promise<CheckReport> {
  const files = new Map(healthyFiles);
  for (const [file, text] of Object.entries(changes)) {
    if (text === null) files.delete(file);
    else files.set(file, text);
  }
  return checkFiles(HEALTHY, files);
}
