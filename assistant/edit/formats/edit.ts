/** Lines that take the place of a range, as the answer numbers it. Empty `lines` and one blank line both stand for "nothing". */
export interface RangeEdit {
  start: number;
  end: number;
  lines: string[];
  /** Line of the answer's edit where the block begins, 1-based. */
  at: number;
}

/** Lines that take the place of the one spot where the search lines stand. */
export interface SearchEdit {
  search: string[];
  lines: string[];
  /** Line of the answer's edit where the block begins, 1-based. */
  at: number;
}

/** What an answer wants done, before it is held against the file. `lang` is the name after the first opening fence. */
export type ParsedEdit =
  | { format: "wf"; lang: string; lines: string[] }
  | { format: "lc"; lang: string; edits: RangeEdit[] }
  | { format: "sr"; lang: string; edits: SearchEdit[] };
