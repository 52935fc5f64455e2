import type { ClassDef, ExprNode, FunctionDef, Module, StmtNode } from "py-ast";

/** What a name of a module stands for: a class or function of it, or something imported, by its full dotted name. */
export type Meaning = ClassDef | FunctionDef | string;

/** The names of a module. */
export interface Scope {
  names: Map<string, Meaning>;
  /** Modules of which everything is imported. */
  stars: string[];
}

/** The names that a module's statements bind, later ones winning; those under `if`, `try` and `with` count. */
export function scopeOf(module: Module): Scope {
  const scope: Scope = { names: new Map(), stars: [] };
  bindAll(module.body, scope);
  return scope;
}

/**
 * What an expression stands for, with aliases resolved: `r.RobotApp` after `import robot_sdk as r` is
 * `robot_sdk.RobotApp`. Undefined when its name is bound nowhere, or to something else.
 */
export function meaningOf(expression: ExprNode, scope: Scope): Meaning | undefined {
  if (expression.nodeType === "Name") {
    const [star] = scope.stars;
    return scope.names.get(expression.id) ?? (star === undefined ? undefined : `${star}.${expression.id}`);
  }
  if (expression.nodeType === "Subscript") return meaningOf(expression.value, scope);
  if (expression.nodeType !== "Attribute") return undefined;
  const owner = meaningOf(expression.value, scope);
  return typeof owner === "string" ? `${owner}.${expression.attr}` : undefined;
}

function bindAll(statements: readonly StmtNode[], scope: Scope): void {
  for (const statement of statements) bind(statement, scope);
}

function bind(statement: StmtNode, scope: Scope): void {
  const { names, stars } = scope;
  switch (statement.nodeType) {
    case "ClassDef":
    case "FunctionDef":
      names.set(statement.name, statement);
      return;
    case "Import":
      for (const { name, asname } of statement.names) {
        const [first = name] = name.split(".");
        if (asname === undefined) names.set(first, first);
        else names.set(asname, name);
      }
      return;
    case "ImportFrom": {
      const from = ".".repeat(statement.level ?? 0) + (statement.module ?? "");
      for (const { name, asname } of statement.names) {
        if (name === "*") stars.push(from);
        else names.set(asname ?? name, from.endsWith(".") ? from + name : `${from}.${name}`);
      }
      return;
    }
    case "Assign": {
      const meaning = meaningOf(statement.value, scope);
      for (const target of statement.targets) {
        if (target.nodeType !== "Name") continue;
        if (meaning === undefined) names.delete(target.id);
        else names.set(target.id, meaning);
      }
      return;
    }
    case "If":
      bindAll([...statement.body, ...statement.orelse], scope);
      return;
    case "Try":
      bindAll([...statement.handlers.flatMap((each) => each.body), ...statement.orelse, ...statement.finalbody], scope);
      bindAll(statement.body, scope); // what is tried first is what is meant
      return;
    case "With":
      bindAll(statement.body, scope);
  }
}
