/** Reasons why an answer was not applied. `docs/editing.md` explains each code; a test compares the two lists. */
export const REFUSALS = {
  truncated: "The answer ends before the edit is complete",
  "stray-token": "A control token is in the wrong place",
  malformed: "The edit does not have the shape of its format",
  ambiguous: "The edit can be read in more than one way",
  "wrong-language": "The edit is in another language than the file",
  "wrong-path": "The edit is of a file that it must not change",
  "line-numbers": "The edit repeats the displayed line numbers",
  elision: "The edit leaves lines out",
  "out-of-bounds": "A range lies outside the file",
  reversed: "A range ends before it starts",
  overlap: "Two edits touch the same lines",
  "empty-insertion": "An insertion has nothing to insert",
  "empty-search": "The search text is blank",
  "not-found": "The search text is not in the file",
  "found-twice": "The search text is in the file more than once",
  "indent-drift": "The search text is indented differently, and the replacement cannot be re-indented",
  "new-syntax-error": "The file parses and would not parse after the edit",
  "base-changed": "The file changed since the model saw it",
  undecodable: "The file is not UTF-8 text",
  "too-long": "The answer is too long",
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Why an answer was refused. Nothing was changed. */
export interface Refusal {
  code: RefusalCode;
  /** The problem, with the values. */
  reason: string;
  /** Line of the answer's edit, from 1, or of the file where `reason` says so. */
  line?: number;
  /** What to do: shown to a person, and sent back to the model. */
  hint: string;
}

/** Carries a refusal to `parseResponse` or `applyEdit`, which return it. Of the library's functions only `chatReply` throws it. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(code: RefusalCode, reason: string, hint: string, line?: number) {
    super(reason);
    this.name = "Refused";
    this.refusal = { code, reason, hint, ...(line === undefined ? {} : { line }) };
  }
}

/** Runs a step and returns its refusal as a value; other errors are thrown. */
export function catchRefusal<T>(step: () => T): T | Refusal {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** A refusal as one or two sentences. */
export function refusalText({ code, reason, hint, line }: Refusal): string {
  return `${REFUSALS[code]}${line === undefined ? "" : ` (line ${line})`}: ${reason} ${hint}`;
}
