import type { SyntaxPolicy } from "../../../edit/apply/syntax.ts";
import type { Convention, Format } from "../../../edit/formats/format.ts";
import type { HistorySource } from "../../../edit/session/past-versions.ts";
import type { ModelFlags } from "../model/options.ts";
import type { Lines } from "./selection.ts";

/** The options of `edit` as commander parses them. */
export interface EditFlags extends ModelFlags {
  instruction?: string;
  /** Files and folders that the model sees and does not change. */
  context: readonly string[];
  fixFindings?: true;
  /** File with a traceback of Python; "-" is the standard input. */
  traceback?: string;
  format?: Format;
  convention?: Convention;
  syntax: SyntaxPolicy;
  history: HistorySource;
  versions: number;
  retries: number;
  maxTokens?: number;
  /** Ask with the format as instructions, or not; undefined: as the model needs it. */
  instruct?: boolean;
  /** Lines that the instruction is about. */
  lines?: Lines;
  /** Ask for each change. */
  hunks?: true;
  explain: boolean;
  check: boolean;
  dryRun?: true;
  yes?: true;
  json?: true;
  undo?: true;
}
