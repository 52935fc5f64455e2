import type { Format } from "./format.ts";
import { formatGithub } from "./github.ts";
import { formatJson } from "./json.ts";
import { formatJunit } from "./junit.ts";
import { formatSarif } from "./sarif.ts";
import { formatText } from "./text.ts";

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
