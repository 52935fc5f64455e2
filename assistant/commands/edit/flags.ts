import type { SyntaxPolicy } from "../../../edit/apply/syntax.ts";
import type { Convention, Format } from "../../../edit/formats/format.ts";
import type { HistorySource } from "../../../edit/session/past-versions.ts";
import type { ModelFlags } from "../model/options.ts";
import type { Lines } from "./selection.ts";

/** The options of `edit` as commander parses them; `command.ts` says what each of them does, and their ranges. */
export interface EditFlags extends ModelFlags {
  /** Undefined: the model continues the last changes. */
  instruction?: string;
  context: readonly string[];
  format?: Format;
  convention?: Convention;
  syntax: SyntaxPolicy;
  history: HistorySource;
  versions: number;
  retries: number;
  maxTokens?: number;
  /** Undefined: without a format that the model was trained for. */
  instruct?: boolean;
  lines?: Lines;
  hunks?: true;
  explain: boolean;
  check: boolean;
  dryRun?: true;
  yes?: true;
  json?: true;
  undo?: true;
}
