import { pythonErrors } from "../../common/python/syntax-errors.ts";
import type { SyntaxFault } from "../../common/python/syntax-fault.ts";
import { languageName } from "../formats/language-name.ts";

/** Finds the syntax errors of a text, in order. */
export type SyntaxChecker = (text: string) => readonly SyntaxFault[] | Promise<readonly SyntaxFault[]>;

/** Syntax checkers by language name in lower case. Other languages are not checked. */
export type SyntaxCheckers = Readonly<Record<string, SyntaxChecker | undefined>>;

/** The syntax checkers of this package. */
export const SYNTAX_CHECKERS: SyntaxCheckers = { python: pythonErrors };

/** The checker for a text. A text without a named language that declares and parses like Python is Python. */
export async function checkerFor(
  text: string,
  lang: string,
  checkers: SyntaxCheckers,
): Promise<SyntaxChecker | undefined> {
  const name = languageName(lang);
  // The name comes from an answer: it may be that of a property which every object has, such as `constructor`.
  if (name !== "") return Object.hasOwn(checkers, name) ? checkers[name] : undefined;
  const { python } = checkers;
  if (python === undefined || !/^\s*(def|class|import|from) /m.test(text)) return undefined;
  return (await python(text)).length === 0 ? python : undefined;
}
