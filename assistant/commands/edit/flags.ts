import type { SyntaxPolicy } from "../../../edit/apply/syntax.ts";
import type { Convention, Format } from "../../../edit/formats/format.ts";
import type { HistorySource } from "../../../edit/session/past-versions.ts";
import type { ModelFlags } from "../model/options.ts";
import type { Lines } from "./selection.ts";

/** The options of `edit` as commander parses them. */
export interface EditFlags extends ModelFlags {
  /** What to change; undefined: the model continues the last changes. */
  instruction?: string;
  /** Files and folders that the model sees and does not change. */
  context: readonly string[];
  /** Let the model fix the findings of `check`. */
  fixFindings?: true;
  /** File with a Python traceback whose cause the model fixes; "-" is the standard input. */
  traceback?: string;
  /** Default: by the model's name. */
  format?: Format;
  /** How ranges of the format `lc` count. Default: by the model's name. */
  convention?: Convention;
  /** What happens to an edit that breaks the syntax of a file. */
  syntax: SyntaxPolicy;
  /** Where the older versions come from that the model sees. */
  history: HistorySource;
  /** Maximum number of older versions, from 1 to 100. */
  versions: number;
  /** How often a refused answer is sent back to the model, from 0 to 100. */
  retries: number;
  /** Maximum tokens of an answer, from 1 to 1,000,000. Default: by the size of the files. */
  maxTokens?: number;
  /** Whether the request explains the format in a chat; undefined: when the model needs it. */
  instruct?: boolean;
  /** Lines that the instruction is about. */
  lines?: Lines;
  /** Ask for each change whether to keep it. */
  hunks?: true;
  /** Whether the model explains the edit after it. */
  explain: boolean;
  /** Whether the app is checked after the edit. */
  check: boolean;
  /** Show the edit and write nothing. */
  dryRun?: true;
  /** Apply the edit without asking. */
  yes?: true;
  /** Write one JSON object instead of text. */
  json?: true;
  /** Undo the last edit of the file, in all files that it changed. */
  undo?: true;
}
