/** A syntax error; the line counts from 1. */
export interface SyntaxFault {
  line: number;
  message: string;
}

/** The error that is reported for a text that exhausts a parser's stack or memory. */
export const TOO_DEEP: SyntaxFault = {
  line: 1,
  message: "The parser cannot read this file: it is nested too deeply, or too long",
};
