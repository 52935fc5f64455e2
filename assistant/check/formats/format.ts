import type { CheckReport } from "../check-app.ts";
import { formatGithub } from "./github.ts";
import { formatJson } from "./json.ts";
import { formatJunit } from "./junit.ts";
import { formatSarif } from "./sarif.ts";
import { formatText } from "./text.ts";

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

/** The formats of `check --format`, by name. */
export const FORMATS = {
  text: formatText,
  json: formatJson,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
