/** Why an answer was not applied. `docs/editing.md` explains each code, tied to this list by a test. */
export const REFUSALS = {
  truncated: "The answer ends before the edit is complete",
  "stray-token": "A control token stands where it has no business",
  malformed: "The edit does not have the shape of its format",
  ambiguous: "The edit can be read in more than one way",
  "wrong-language": "The edit is in another language than the file",
  "line-numbers": "The edit repeats the displayed line numbers",
  "out-of-bounds": "A range lies outside the file",
  reversed: "A range ends before it starts",
  overlap: "Two edits touch the same lines",
  "empty-insertion": "An insertion has nothing to insert",
  "empty-search": "The search text is blank",
  "not-found": "The search text is not in the file",
  "found-twice": "The search text is in the file more than once",
  "indent-drift": "The search text is indented differently, and the replacement cannot be moved along",
  "new-syntax-error": "The edited file would have a syntax error that it does not have",
  "base-changed": "The file changed since the model saw it",
  undecodable: "The file is not UTF-8 text",
  "too-long": "The answer is too long",
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** A refused answer: nothing was changed. */
export interface Refusal {
  code: RefusalCode;
  /** What is wrong, with the values. */
  reason: string;
  /** 1-based line of the answer's edit, or of the file where `reason` says so. */
  line?: number;
  /** What would help: for a person, and sent back to the model on another try. */
  hint: string;
}

/** Carries a refusal up to `parseResponse` or `applyEdit`, which return it; never leaves the library. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(code: RefusalCode, reason: string, hint: string, line?: number) {
    super(reason);
    this.name = "Refused";
    this.refusal = { code, reason, hint, ...(line === undefined ? {} : { line }) };
  }
}

/** Runs a step and returns its refusal as a value; any other error goes on. */
export function catchRefusal<T>(step: () => T): T | Refusal {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** The refusal in one sentence or two. */
export function refusalText({ code, reason, hint, line }: Refusal): string {
  return `${REFUSALS[code]}${line === undefined ? "" : ` (line ${line})`}: ${reason} ${hint}`;
}
