/** Facts that every node of a Python syntax tree has. */
export interface NodeBase {
  /** Line where it begins, from 1; of a class or function the line of its name, not of its decorators. */
  line: number;
  /** The node as written. */
  text: string;
  /** The nodes directly inside, in the order of the source. */
  children: readonly PythonNode[];
}

export type PythonNode = Statement | Expression;

export type Expression = NodeBase &
  (
    | { kind: "Name"; id: string }
    | { kind: "Attribute"; value: Expression; attribute: string }
    | { kind: "Call"; function: Expression }
    | { kind: "Subscript"; value: Expression }
    | { kind: "String"; value: string }
    | { kind: "None" }
    | { kind: "Tuple"; elements: readonly Expression[] }
    /** `operands[0] operators[0] operands[1] ...`; operators by their names in Python's ast module, such as Eq. */
    | { kind: "Compare"; operands: readonly Expression[]; operators: readonly string[] }
    | { kind: "OtherExpression" }
  );

export type Statement = NodeBase &
  (
    | { kind: "ClassDef"; name: string; bases: readonly Expression[]; body: readonly Statement[] }
    | {
        kind: "FunctionDef";
        name: string;
        isAsync: boolean;
        parameters: Parameters;
        decorators: readonly Expression[];
        body: readonly Statement[];
      }
    | { kind: "Import"; names: readonly ImportAlias[] }
    /** `level` counts the leading dots. */
    | { kind: "ImportFrom"; module: string; level: number; names: readonly ImportAlias[] }
    | { kind: "Assign"; targets: readonly Expression[]; value: Expression }
    | { kind: "AnnAssign"; target: Expression; value: Expression | undefined }
    /** `orelse` has the statements of all `elif` and `else` clauses. */
    | { kind: "If"; test: Expression; body: readonly Statement[]; orelse: readonly Statement[] }
    | {
        kind: "Try";
        body: readonly Statement[];
        handlers: readonly ExceptHandler[];
        orelse: readonly Statement[];
        finalbody: readonly Statement[];
      }
    | { kind: "With"; body: readonly Statement[] }
    | { kind: "While" }
    | { kind: "OtherStatement" }
  );

export type ClassDef = Extract<Statement, { kind: "ClassDef" }>;
export type FunctionDef = Extract<Statement, { kind: "FunctionDef" }>;
export type Call = Extract<Expression, { kind: "Call" }>;

/** `import name as alias`; `alias` is undefined without `as`. */
export interface ImportAlias {
  name: string;
  alias: string | undefined;
}

/** An `except` clause; `type` is undefined when it catches everything. */
export interface ExceptHandler {
  type: Expression | undefined;
  body: readonly Statement[];
}

export interface Parameters {
  positionalOnly: readonly Parameter[];
  positional: readonly Parameter[];
  /** The name after `*`. */
  variadic: string | undefined;
  keywordOnly: readonly Parameter[];
  /** The name after `**`. */
  keywords: string | undefined;
}

export interface Parameter {
  name: string;
  hasDefault: boolean;
}

export interface Module {
  body: readonly Statement[];
}

/** Yields a node and everything inside it, in the order of the source. */
export function* walk(node: PythonNode): Generator<PythonNode> {
  yield node;
  for (const child of node.children) yield* walk(child);
}

/** Some statements and everything inside them, in the order of the source. */
export const nodesIn = (statements: readonly Statement[]): PythonNode[] =>
  statements.flatMap((each) => [...walk(each)]);
