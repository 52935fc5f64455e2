import { posix } from "node:path";
import type { CheckReport } from "../check-app.ts";

/** What a format may use besides the report. */
export interface FormatContext {
  colour: boolean;
  /**
   * The app's folder relative to the working directory, which must be the root of the repository for annotations and
   * SARIF. It has "/" between folders and is empty for the working directory itself.
   */
  prefix: string;
  version: string;
}

/** Writes a report as a text that ends with a line feed. Pure. */
export type Format = (report: CheckReport, context: FormatContext) => string;

/**
 * The path of a file of the app relative to the working directory.
 * @param prefix the app's folder relative to the working directory
 */
export function placeOf(prefix: string, file: string): string {
  return posix.normalize(posix.join(prefix, file));
}
