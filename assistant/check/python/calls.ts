import { type Call, nodesIn, type Statement } from "../../../common/python/syntax-tree.ts";
import { resolveName, type Scope } from "./scope.ts";

/** Every call in some statements, nested ones included. */
export function callsIn(statements: readonly Statement[]): Call[] {
  return nodesIn(statements).filter((node) => node.kind === "Call");
}

/** The calls of a method of this name, on any object. */
export function methodCalls(statements: readonly Statement[], method: string): Call[] {
  return callsIn(statements).filter(
    ({ function: called }) => called.kind === "Attribute" && called.attribute === method,
  );
}

/** The statements, and the bodies of the module's functions that they call, directly or indirectly. */
export function withCalledFunctions(statements: readonly Statement[], scope: Scope): Statement[] {
  const reached = new Set(statements);
  for (const statement of reached) {
    for (const call of callsIn([statement])) {
      const definition = resolveName(call.function, scope);
      if (typeof definition === "object" && definition.kind === "FunctionDef" && !definition.isAsync)
        for (const each of definition.body) reached.add(each);
    }
  }
  return [...reached];
}
