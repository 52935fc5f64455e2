import type { ClassDef, Expression, FunctionDef, Module, Statement } from "../../../common/python/syntax-tree.ts";

/** What a name of a module refers to: a class or function of the module, or the full dotted name of an import. */
export type Definition = ClassDef | FunctionDef | string;

export interface Scope {
  names: Map<string, Definition>;
  /** Modules imported with `from ... import *`. */
  stars: string[];
  packageName: string | undefined;
}

/**
 * The names that a module's statements bind, later ones winning; those under `if`, `try` and `with` count.
 * @param packageName the package that its relative imports begin in; without one they keep their dots
 */
export function scopeOf(module: Module, packageName?: string): Scope {
  const scope: Scope = { names: new Map(), stars: [], packageName };
  bindAll(module.body, scope);
  return scope;
}

/**
 * Resolves an expression to its definition, following aliases: `r.RobotApp` after `import robot_sdk as r` is
 * `robot_sdk.RobotApp`. Undefined when the name is not bound, or bound to something else.
 */
export function resolveName(expression: Expression, scope: Scope): Definition | undefined {
  if (expression.kind === "Name") {
    const [star] = scope.stars;
    return scope.names.get(expression.id) ?? (star === undefined ? undefined : `${star}.${expression.id}`);
  }
  if (expression.kind === "Subscript") return resolveName(expression.value, scope);
  if (expression.kind !== "Attribute") return undefined;
  const owner = resolveName(expression.value, scope);
  return typeof owner === "string" ? `${owner}.${expression.attribute}` : undefined;
}

/** The full name of the module that names are imported from; with its dots where the package is not known. */
export function importedFrom(
  { level, module }: { level: number; module: string },
  packageName: string | undefined,
): string {
  const parts = packageName?.split(".") ?? [];
  if (level === 0 || packageName === undefined || level > parts.length) return ".".repeat(level) + module;
  return [...parts.slice(0, parts.length - level + 1), module].filter((part) => part !== "").join(".");
}

function bindAll(statements: readonly Statement[], scope: Scope): void {
  for (const statement of statements) bind(statement, scope);
}

/** The body of an `if` wins over its `else`, and what one of them binds stays bound. */
function bindBranches({ body, orelse }: Extract<Statement, { kind: "If" }>, scope: Scope): void {
  bindAll(orelse, scope);
  const bound = new Map(scope.names);
  bindAll(body, scope);
  for (const [name, definition] of bound) if (!scope.names.has(name)) scope.names.set(name, definition);
}

function bind(statement: Statement, scope: Scope): void {
  const { names, stars } = scope;
  switch (statement.kind) {
    case "ClassDef":
    case "FunctionDef":
      names.set(statement.name, statement);
      return;
    case "Import":
      for (const { name, alias } of statement.names) {
        const [first = name] = name.split(".");
        if (alias === undefined) names.set(first, first);
        else names.set(alias, name);
      }
      return;
    case "ImportFrom": {
      const from = importedFrom(statement, scope.packageName);
      for (const { name, alias } of statement.names) {
        if (name === "*") stars.push(from);
        else names.set(alias ?? name, from.endsWith(".") ? from + name : `${from}.${name}`);
      }
      return;
    }
    case "Assign": {
      const definition = resolveName(statement.value, scope);
      for (const target of statement.targets) {
        if (target.kind !== "Name") continue;
        if (definition === undefined) names.delete(target.id);
        else names.set(target.id, definition);
      }
      return;
    }
    case "If":
      bindBranches(statement, scope);
      return;
    case "Try":
      bindAll([...statement.handlers.flatMap((each) => each.body), ...statement.orelse, ...statement.finalbody], scope);
      bindAll(statement.body, scope); // the body wins over its handlers
      return;
    case "With":
      bindAll(statement.body, scope);
  }
}
