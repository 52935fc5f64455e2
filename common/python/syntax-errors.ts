import { discardRuff, ruff } from "./ruff.ts";
import type { SyntaxFault } from "./syntax-fault.ts";
import { tabErrors } from "./tab-errors.ts";

/** Finds the syntax errors of a Python text, in order. @throws Error when the parser itself fails */
export function pythonErrors(source: string): SyntaxFault[] {
  const text = source.replace(/^\uFEFF/, "");
  try {
    const found: { message: string; start_location: { row: number } }[] = ruff().check(text);
    if (found.length > 0) return found.map(({ message, start_location }) => ({ message, line: start_location.row }));
    return tabErrors(text, ruff().tokens(text));
  } catch (error) {
    discardRuff();
    throw error;
  }
}
