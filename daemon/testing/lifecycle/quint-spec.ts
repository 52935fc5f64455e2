import { readFileSync } from "node:fs";
import { newIdGenerator } from "@informalsystems/quint/dist/src/idGenerator.js";
import type { QuintDef, QuintEx } from "@informalsystems/quint/dist/src/ir/quintIr.js";
import { parse } from "@informalsystems/quint/dist/src/parsing/quintParserFrontend.js";
import { analyzeModules } from "@informalsystems/quint/dist/src/quintAnalyzer.js";

/** One action that `step` chooses from. */
interface QuintAction {
  /** As the specification writes it: `start("other")`. */
  label: string;
  expression: QuintEx;
}

/** `always(from implies eventually(to))`. */
export interface LeadsTo {
  name: string;
  from: QuintEx;
  to: QuintEx;
}

/** A specification whose only nondeterminism is the choice of an action by `step`. */
export interface QuintSpec {
  table: ReturnType<typeof parse>["table"];
  init: QuintEx;
  /** All expressions of the module. */
  expressions: readonly QuintEx[];
  actions: readonly QuintAction[];
  /** Sets of labels, the choices of the action `fair`: one of a set happens in the end when one of them stays possible. */
  fair: readonly ReadonlySet<string>[];
  /** The values after the heading "Invariants". */
  invariants: readonly { name: string; expression: QuintEx }[];
  liveness: readonly LeadsTo[];
}

const HEADING = "// --- Invariants";

/** Parses a module and checks its types and effects. @throws Error what Quint finds wrong, with the line */
export function readSpec(file: string): QuintSpec {
  const text = readFileSync(file, "utf8");
  const parsed = parse(newIdGenerator(), file, { normalizedPath: file, toSourceName: () => file }, text);
  const [module] = parsed.modules;
  const problems = parsed.errors.length > 0 ? parsed.errors : analyzeModules(parsed.table, parsed.modules)[0];
  const lineOf = (id: bigint | undefined): number => (parsed.sourceMap.get(id ?? -1n)?.start.line ?? 0) + 1;
  if (problems.length > 0 || module === undefined)
    throw new Error(problems.map(({ reference, message }) => `${file}:${lineOf(reference)}: ${message}`).join("\n"));

  const headingLine = text.slice(0, text.indexOf(HEADING)).split("\n").length;
  const defs = new Map<string, QuintDef & { kind: "def" }>();
  for (const each of module.declarations) if (each.kind === "def") defs.set(each.name, each);
  const expressionOf = (name: string): QuintEx => {
    const def = defs.get(name);
    if (def === undefined) throw new Error(`${file} has no ${name}.`);
    return def.expr;
  };
  /** The actions that an `any` chooses from. */
  const choices = (expression: QuintEx): QuintEx[] => {
    if (expression.kind === "app" && expression.opcode === "actionAny") return expression.args.flatMap(choices);
    if (expression.kind !== "name") return [expression];
    const body = expressionOf(expression.name);
    return body.kind === "app" && body.opcode === "actionAny" ? choices(body) : [expression];
  };
  const fair = expressionOf("fair");
  const all = [...defs.values()];
  return {
    table: parsed.table,
    init: expressionOf("init"),
    expressions: all.flatMap(({ expr }) => expressionsIn(expr)),
    actions: choices(expressionOf("step")).map((expression) => ({ label: labelOf(expression), expression })),
    fair: fair.kind === "app" ? fair.args.map((each) => new Set(choices(each).map(labelOf))) : [],
    invariants: all
      .filter(({ qualifier, id }) => qualifier === "val" && lineOf(id) > headingLine)
      .map(({ name, expr }) => ({ name, expression: expr })),
    liveness: all.filter(({ qualifier }) => qualifier === "temporal").map(({ name, expr }) => leadsTo(name, expr)),
  };
}

function labelOf(expression: QuintEx): string {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "app") throw new Error(`An action is a call or a name, not ${expression.kind}.`);
  const values = expression.args.map((each) => ("value" in each ? JSON.stringify(each.value) : "?"));
  return `${expression.opcode}(${values.join(", ")})`;
}

function expressionsIn(expression: QuintEx): QuintEx[] {
  if (expression.kind === "lambda") return expressionsIn(expression.expr);
  if (expression.kind === "let") return [expression.opdef.expr, expression.expr].flatMap(expressionsIn);
  return expression.kind === "app" ? [expression, ...expression.args.flatMap(expressionsIn)] : [expression];
}

function leadsTo(name: string, expression: QuintEx): LeadsTo {
  const argsOf = (value: QuintEx | undefined, opcode: string): QuintEx[] => {
    if (value?.kind === "app" && value.opcode === opcode) return value.args;
    throw new Error(`${name} is not of the form always(p implies eventually(q)).`);
  };
  const [from, then] = argsOf(argsOf(expression, "always")[0], "implies");
  const [to] = argsOf(then, "eventually");
  if (from === undefined || to === undefined) throw new Error(`${name} is incomplete.`);
  return { name, from, to };
}
