import { formatReport } from "../format-report.ts";
import type { Format } from "./format.ts";
import { formatGithub } from "./github.ts";
import { formatJunit } from "./junit.ts";
import { formatSarif } from "./sarif.ts";

/** The formats of `check --format`, by name: for people, for programs (docs/checks.md), and for other tools. */
export const FORMATS = {
  text: (report, { colour }) => formatReport(report, colour),
  json: (report) => `${JSON.stringify(report)}\n`,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
