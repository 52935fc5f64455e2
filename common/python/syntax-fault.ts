/** A syntax error; the line counts from 1. */
export interface SyntaxFault {
  line: number;
  message: string;
}

/** In place of the errors of a text for which a parser has no stack or memory left. */
export const TOO_DEEP: SyntaxFault = {
  line: 1,
  message: "The parser cannot read this file: it is nested too deeply, or too long",
};
