import { type DebugStruct, type DebugValue, isStruct, isText } from "./debug-format.ts";
import type { SourceMap } from "./source-map.ts";
import type {
  ExceptHandler,
  Expression,
  ImportAlias,
  NodeBase,
  Parameter,
  Parameters,
  PythonNode,
  Statement,
} from "./syntax-tree.ts";

type Fields = DebugStruct["fields"];

/**
 * Makes typed nodes of the tree that ruff prints. Ruff names a node's struct `Stmt` or `Expr` and then as Python's ast
 * module does. Each struct gives one node, so that nodes among `children` are those in the fields.
 */
export class TreeBuilder {
  readonly #source: SourceMap;
  readonly #statements = new Map<DebugStruct, Statement>();
  readonly #expressions = new Map<DebugStruct, Expression>();

  constructor(source: SourceMap) {
    this.#source = source;
  }

  statements(value: DebugValue | undefined): Statement[] {
    return structsOf(value).map((struct) => this.#statement(struct));
  }

  #expressionsOf(value: DebugValue | undefined): Expression[] {
    return structsOf(value).map((struct) => this.#expression(struct));
  }

  #optional(value: DebugValue | undefined): Expression | undefined {
    return this.#expressionsOf(value)[0];
  }

  #required(value: DebugValue | undefined): Expression {
    return this.#optional(value) ?? missing("expression");
  }

  #statement(struct: DebugStruct): Statement {
    return madeOnce(this.#statements, struct, () => this.#makeStatement(struct));
  }

  #expression(struct: DebugStruct): Expression {
    return madeOnce(this.#expressions, struct, () => this.#makeExpression(struct));
  }

  #makeStatement({ name, fields }: DebugStruct): Statement {
    const base = this.#base(fields);
    switch (name) {
      case "StmtClassDef": {
        const bases = this.#expressionsOf(structOf(fields.arguments)?.fields.args);
        return { ...base, kind: "ClassDef", name: nameIn(fields.name), bases, body: this.statements(fields.body) };
      }
      case "StmtFunctionDef": {
        const decorators = structsOf(fields.decorator_list).map((each) => this.#required(each.fields.expression));
        return {
          ...base,
          kind: "FunctionDef",
          name: nameIn(fields.name),
          isAsync: fields.is_async === "true",
          parameters: parametersOf(structOf(fields.parameters)?.fields ?? {}),
          decorators,
          body: this.statements(fields.body),
        };
      }
      case "StmtImport":
        return { ...base, kind: "Import", names: aliasesOf(fields.names) };
      case "StmtImportFrom": {
        const module = nameIn(fields.module);
        return { ...base, kind: "ImportFrom", module, level: Number(fields.level), names: aliasesOf(fields.names) };
      }
      case "StmtAssign":
        return {
          ...base,
          kind: "Assign",
          targets: this.#expressionsOf(fields.targets),
          value: this.#required(fields.value),
        };
      case "StmtAnnAssign":
        return {
          ...base,
          kind: "AnnAssign",
          target: this.#required(fields.target),
          value: this.#optional(fields.value),
        };
      case "StmtIf": {
        const clauses = structsOf(fields.elif_else_clauses);
        const orelse = clauses.flatMap((clause) => this.statements(clause.fields.body));
        return {
          ...base,
          kind: "If",
          test: this.#required(fields.test),
          body: this.statements(fields.body),
          orelse,
        };
      }
      case "StmtTry":
        return {
          ...base,
          kind: "Try",
          body: this.statements(fields.body),
          handlers: structsOf(fields.handlers).map((each) => this.#handler(each.fields)),
          orelse: this.statements(fields.orelse),
          finalbody: this.statements(fields.finalbody),
        };
      case "StmtWhile":
        return { ...base, kind: "While" };
      case "StmtWith":
        return { ...base, kind: "With", body: this.statements(fields.body) };
      default:
        return { ...base, kind: "OtherStatement" };
    }
  }

  #makeExpression({ name, fields }: DebugStruct): Expression {
    const base = this.#base(fields);
    switch (name) {
      case "ExprName":
        return { ...base, kind: "Name", id: textIn(fields.id) };
      case "ExprAttribute":
        return { ...base, kind: "Attribute", value: this.#required(fields.value), attribute: nameIn(fields.attr) };
      case "ExprCall":
        return { ...base, kind: "Call", function: this.#required(fields.func) };
      case "ExprSubscript":
        return { ...base, kind: "Subscript", value: this.#required(fields.value) };
      case "ExprStringLiteral":
        return { ...base, kind: "String", value: stringIn(fields.value) };
      case "ExprNoneLiteral":
        return { ...base, kind: "None" };
      case "ExprTuple":
        return { ...base, kind: "Tuple", elements: this.#expressionsOf(fields.elts) };
      case "ExprCompare":
        return {
          ...base,
          kind: "Compare",
          operands: this.#expressionsOf(fields.operands),
          operators: listOf(fields.ops).map(String),
        };
      default:
        return { ...base, kind: "OtherExpression" };
    }
  }

  #handler(fields: Fields): ExceptHandler {
    return { type: this.#optional(fields.type_), body: this.statements(fields.body) };
  }

  #base(fields: Fields): NodeBase {
    const [start, stop] = rangeOf(fields);
    // The range of a class or function begins at its first decorator.
    const [named] = structsOf(fields.name).map((each) => rangeOf(each.fields)[0]);
    return {
      line: this.#source.lineAt(named ?? start),
      text: this.#source.slice(start, stop),
      children: this.#nodesIn(Object.values(fields)),
    };
  }

  /** The nearest nodes in values, in the order of the source. */
  #nodesIn(values: readonly DebugValue[]): PythonNode[] {
    return values.flatMap((value): PythonNode[] => {
      if (Array.isArray(value)) return this.#nodesIn(value);
      if (!isStruct(value)) return [];
      if (/^Stmt[A-Z]/.test(value.name)) return [this.#statement(value)];
      if (/^Expr[A-Z]/.test(value.name)) return [this.#expression(value)];
      return this.#nodesIn([...value.items, ...Object.values(value.fields)]);
    });
  }
}

const missing = (what: string): never => {
  throw new Error(`The parser's tree lacks ${what}`);
};

/** The struct of a value: inside `Some(...)` and inside the variant of an enum; undefined for `None` and words. */
function structOf(value: DebugValue | undefined): DebugStruct | undefined {
  if (value === undefined || !isStruct(value)) return undefined;
  return value.items.length === 1 ? (structOf(value.items[0]) ?? value) : value;
}

const listOf = (value: DebugValue | undefined): readonly DebugValue[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const structsOf = (value: DebugValue | undefined): DebugStruct[] =>
  listOf(value).flatMap((each) => structOf(each) ?? []);

function rangeOf(fields: Fields): [start: number, stop: number] {
  const [start, stop] = String(fields.range).split("..").map(Number);
  return [start ?? 0, stop ?? 0];
}

/** The text of `Name("...")`. */
function textIn(value: DebugValue | undefined): string {
  const [literal] = value !== undefined && isStruct(value) ? value.items : [];
  return literal !== undefined && isText(literal) ? literal.text : missing("a name");
}

/** The name of an `Identifier { id: Name("...") }`, also inside `Some`; "" for `None`. */
function nameIn(value: DebugValue | undefined): string {
  const identifier = structOf(value);
  return identifier === undefined ? "" : textIn(identifier.fields.id);
}

/** The value of a string literal, of which the source may write several in a row. */
function stringIn(value: DebugValue | undefined): string {
  const pieces: string[] = [];
  const collect = (part: DebugValue | undefined): void => {
    if (part === undefined) return;
    if (Array.isArray(part)) part.forEach(collect);
    else if (isStruct(part)) {
      if (part.name === "StringLiteral") pieces.push(literalIn(part.fields.value));
      else [...part.items, ...Object.values(part.fields)].forEach(collect);
    }
  };
  collect(value);
  return pieces.join("");
}

const literalIn = (value: DebugValue | undefined): string =>
  value !== undefined && isText(value) ? value.text : missing("a string");

const aliasesOf = (value: DebugValue | undefined): ImportAlias[] =>
  structsOf(value).map(({ fields }) => ({ name: nameIn(fields.name), alias: nameIn(fields.asname) || undefined }));

function parametersOf(fields: Fields): Parameters {
  const parameters = (value: DebugValue | undefined): Parameter[] =>
    structsOf(value).map((each) => ({
      name: nameIn(structOf(each.fields.parameter)?.fields.name),
      hasDefault: each.fields.default !== "None",
    }));
  return {
    positionalOnly: parameters(fields.posonlyargs),
    positional: parameters(fields.args),
    variadic: nameIn(structOf(fields.vararg)?.fields.name) || undefined,
    keywordOnly: parameters(fields.kwonlyargs),
    keywords: nameIn(structOf(fields.kwarg)?.fields.name) || undefined,
  };
}

/** The node of a struct; makes it unless it was made before. */
function madeOnce<T>(nodes: Map<DebugStruct, T>, struct: DebugStruct, make: () => T): T {
  const known = nodes.get(struct);
  if (known !== undefined) return known;
  const made = make();
  nodes.set(struct, made);
  return made;
}
