import { parser } from "@lezer/css";
import type { SyntaxFault } from "../../../common/syntax-fault.ts";
import { firstError, lineAt, quoteAt } from "./first-error.ts";

export const cssSyntaxErrors = (text: string): SyntaxFault[] =>
  firstError(parser.parse(text), ({ type, from }) =>
    type.isError ? { line: lineAt(text, from), message: `${quoteAt(text, from)} is not expected here.` } : null,
  );
