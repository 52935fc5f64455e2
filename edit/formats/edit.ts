/** Lines that replace a range, numbered as in the answer. Empty `lines` and one blank line both delete the range. */
export interface RangeEdit {
  start: number;
  end: number;
  lines: string[];
  /** Line of the answer's edit where the block begins, 1-based. */
  at: number;
}

export interface SearchEdit {
  search: string[];
  lines: string[];
  /** Line of the answer's edit where the block begins, 1-based. */
  at: number;
}

/**
 * An edit as the answer gives it, before it is resolved against the file. `lang` is the name after its fences ("" when there is none),
 * `ticks` the number of backticks of its fences.
 */
export type ParsedEdit = { lang: string; ticks: number } & (
  | { format: "wf"; lines: string[] }
  | { format: "lc"; edits: RangeEdit[] }
  | { format: "sr"; edits: SearchEdit[] }
);
