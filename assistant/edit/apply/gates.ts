import { newPythonErrors } from "./python-gate.ts";
import type { SyntaxGates } from "./syntax-gate.ts";

/** The gates that come with this package. */
export const syntaxGates: SyntaxGates = { python: newPythonErrors };
