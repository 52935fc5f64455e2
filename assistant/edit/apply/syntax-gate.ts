/** A syntax error in a text; the line is 1-based. */
export interface SyntaxFault {
  line: number;
  message: string;
}

/** Finds the syntax errors that the second text has and the first does not. */
export type SyntaxGate = (before: string, after: string) => Promise<SyntaxFault[]>;

/** Gates by language name in lower case. A language without one is not checked. */
export type SyntaxGates = Readonly<Record<string, SyntaxGate | undefined>>;
