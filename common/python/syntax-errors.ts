import { type SyntaxFault, TOO_DEEP } from "../syntax-fault.ts";
import { NEWEST_PYTHON, type PythonVersion } from "./project/python-version.ts";
import { discardRuff, ruff } from "./ruff.ts";
import { tabErrors } from "./tab-errors.ts";

/** Whether WebAssembly trapped; the types of Node lack its class. */
const isTrap = (error: unknown): boolean => error instanceof Error && error.name === "RuntimeError";

/**
 * Finds the syntax errors of a Python text, in order.
 * @param python the version whose syntax it may use; the newest unless given
 * @throws Error when the parser itself fails
 */
export function pythonSyntaxErrors(source: string, python: PythonVersion = NEWEST_PYTHON): SyntaxFault[] {
  const text = source.replace(/^\uFEFF/, "");
  try {
    const found: { message: string; start_location: { row: number } }[] = ruff(python).check(text);
    if (found.length > 0) return found.map(({ message, start_location }) => ({ message, line: start_location.row }));
    return tabErrors(text, ruff(python).tokens(text));
  } catch (error) {
    discardRuff();
    // Without stack or memory left. Python refuses such nesting, too.
    if (error instanceof RangeError || isTrap(error)) return [TOO_DEEP];
    throw error;
  }
}
