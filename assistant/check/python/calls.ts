import { type ASTNodeUnion, type Call, type StmtNode, walk } from "py-ast";
import { meaningOf, type Scope } from "./scope.ts";

/** Every call in some statements, however deep. */
export function callsIn(statements: readonly StmtNode[]): Call[] {
  return statements.flatMap((each) => [...walk(each)]).filter(isCall);
}

/** The calls of a method of this name, on whatever object. */
export function methodCalls(statements: readonly StmtNode[], method: string): Call[] {
  return callsIn(statements).filter(({ func }) => func.nodeType === "Attribute" && func.attr === method);
}

/** The statements, and the bodies of the module's functions that they call, those functions' callees included. */
export function reachedFrom(statements: readonly StmtNode[], scope: Scope): StmtNode[] {
  const reached = new Set(statements);
  for (const statement of reached) {
    for (const { func } of callsIn([statement])) {
      const meaning = meaningOf(func, scope);
      if (typeof meaning === "object" && meaning.nodeType === "FunctionDef")
        for (const each of meaning.body) reached.add(each);
    }
  }
  return [...reached];
}

function isCall(node: ASTNodeUnion): node is Call {
  return node.nodeType === "Call";
}
