import type { ExprNode, StmtNode } from "py-ast";

type If = Extract<StmtNode, { nodeType: "If" }>;

/** Whether a statement is `if __name__ == "__main__":`, its sides either way round. */
export function isMainGuard(statement: StmtNode): statement is If {
  if (statement.nodeType !== "If" || statement.test.nodeType !== "Compare") return false;
  const { left, ops, comparators } = statement.test;
  const [right] = comparators;
  if (right === undefined || ops.length !== 1 || ops[0]?.nodeType !== "Eq") return false;
  return (isName(left) && isMain(right)) || (isMain(left) && isName(right));
}

const isName = (side: ExprNode) => side.nodeType === "Name" && side.id === "__name__";
const isMain = (side: ExprNode) => side.nodeType === "Constant" && side.value === "__main__";
