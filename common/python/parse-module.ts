import type { SyntaxFault } from "../syntax-fault.ts";
import { isStruct, readDebugFormat } from "./debug-format.ts";
import { discardRuff, ruff } from "./ruff.ts";
import { SourceMap } from "./source-map.ts";
import { pythonSyntaxErrors } from "./syntax-errors.ts";
import type { Module } from "./syntax-tree.ts";
import { TreeBuilder } from "./tree-builder.ts";

/**
 * Parses a Python module without running it, by the grammar of Python 3.14. The result is the tree or the first syntax
 * error.
 * @throws Error when the parser itself fails
 */
export function parseModule(source: string): { value: Module } | { error: SyntaxFault } {
  const [error] = pythonSyntaxErrors(source);
  if (error !== undefined) return { error };
  const text = source.replace(/^\uFEFF/, "");
  try {
    const tree = readDebugFormat(ruff().parse(text));
    const [module] = isStruct(tree) ? tree.items : [];
    if (module === undefined || !isStruct(module)) throw new Error("The parser gave no module");
    return { value: { body: new TreeBuilder(new SourceMap(text)).statements(module.fields.body) } };
  } catch (cause) {
    discardRuff();
    throw cause;
  }
}
