import type { Expression, Statement } from "../../../common/python/syntax-tree.ts";

type If = Extract<Statement, { kind: "If" }>;

/** Whether a statement is `if __name__ == "__main__":`, in either order of the two sides. */
export function isMainGuard(statement: Statement): statement is If {
  if (statement.kind !== "If" || statement.test.kind !== "Compare") return false;
  const { operands, operators } = statement.test;
  const [left, right] = operands;
  if (left === undefined || right === undefined || operators.length !== 1 || operators[0] !== "Eq") return false;
  return (isName(left) && isMain(right)) || (isMain(left) && isName(right));
}

const isName = (side: Expression) => side.kind === "Name" && side.id === "__name__";
const isMain = (side: Expression) => side.kind === "String" && side.value === "__main__";
