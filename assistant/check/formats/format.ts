import type { CheckReport } from "../check-app.ts";

/** What a format may use besides the report. */
export interface FormatContext {
  /** Whether the output may have colours. */
  colour: boolean;
  /** The app's folder as the repository has it, with "/" between folders; empty for the working directory itself. */
  prefix: string;
  /** Version of this program. */
  version: string;
}

/** Writes a report as a text that ends with a line feed. Pure. */
export type Format = (report: CheckReport, context: FormatContext) => string;
