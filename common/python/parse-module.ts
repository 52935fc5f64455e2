import type { SyntaxFault } from "../syntax-fault.ts";
import { isStruct, readDebugFormat } from "./debug-format.ts";
import { NEWEST_PYTHON, type PythonVersion } from "./project/python-version.ts";
import { discardRuff, ruff } from "./ruff.ts";
import { SourceMap } from "./source-map.ts";
import { pythonSyntaxErrors } from "./syntax-errors.ts";
import type { Module } from "./syntax-tree.ts";
import { TreeBuilder } from "./tree-builder.ts";

/**
 * Parses a Python module without running it. The result is the tree or the first syntax
 * error.
 * @param python the version whose syntax it may use; the newest unless given
 * @throws Error when the parser itself fails
 */
export function parseModule(
  source: string,
  python: PythonVersion = NEWEST_PYTHON,
): { value: Module } | { error: SyntaxFault } {
  const [error] = pythonSyntaxErrors(source, python);
  if (error !== undefined) return { error };
  const text = source.replace(/^\uFEFF/, "");
  try {
    const tree = readDebugFormat(ruff(python).parse(text));
    const [module] = isStruct(tree) ? tree.items : [];
    if (module === undefined || !isStruct(module)) throw new Error("The parser gave no module");
    return { value: { body: new TreeBuilder(new SourceMap(text)).statements(module.fields.body) } };
  } catch (cause) {
    discardRuff();
    throw cause;
  }
}
