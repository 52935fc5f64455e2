/** A syntax error; the line counts from 1. */
export interface SyntaxFault {
  line: number;
  message: string;
}
