import type { QuintEx } from "@informalsystems/quint/dist/src/ir/quintIr.js";
import { Builder, buildExpr } from "@informalsystems/quint/dist/src/runtime/impl/builder.js";
import { Context } from "@informalsystems/quint/dist/src/runtime/impl/Context.js";
import { type RuntimeValue, rv } from "@informalsystems/quint/dist/src/runtime/impl/runtimeValue.js";
import { newTraceRecorder } from "@informalsystems/quint/dist/src/runtime/trace.js";
import { right } from "@sweet-monads/either";
import type { QuintSpec } from "./quint-spec.ts";

/** For each variable of the specification the number of its value. */
export type State = readonly number[];

/** For each variable the number of its next value; null for one that keeps its value. */
export type Change = readonly (number | null)[];

/** What an action changes; null when it is not possible, and for a condition that does not hold. */
export type Evaluation = (state: State) => Change | null;

export const apply = (state: State, change: Change): State => state.map((value, variable) => change[variable] ?? value);

/** What an expression reads: a variable, or one field of it. */
interface Cell {
  variable: number;
  field: string | null;
}

/** What is known of an expression that has read certain values: what it reads next, or its result. */
interface Known {
  reads?: Cell;
  byValue?: Map<unknown, Known>;
  result?: Change | null;
}

/** A variable's value: a record of texts and truth values. */
interface Value {
  either: ReturnType<typeof right<never, RuntimeValue>>;
  fields: Map<string, string | boolean>;
}

/**
 * The states of a specification whose variables are records. Quint's own evaluator computes them: this class fills its
 * registers of variables. An expression that reads the same values has the same result, so that most evaluations are
 * look-ups.
 */
export class QuintStates {
  readonly init: State;
  readonly #builder: Builder;
  readonly #context: Context;
  /** For each variable its values, and their numbers by their texts. */
  readonly #values: Value[][];
  readonly #numbers: Map<string, number>[];
  #state: State = [];
  /** What the evaluation under way has read, in order. */
  #reads: Cell[] = [];

  constructor({ table, init, expressions }: QuintSpec) {
    this.#builder = new Builder(table, false);
    const pick = (): never => {
      throw new Error("An action picks no values: write a choice as a parameter.");
    };
    const recorder = newTraceRecorder(0, { getState: () => 0n, setState: () => {}, next: pick });
    this.#context = new Context(recorder, pick, this.#builder.varStorage);
    buildExpr(this.#builder, init)(this.#context);
    this.#builder.memo.clear();
    const { vars, nextVars } = this.#context.varStorage;
    const registers = [...nextVars.values()];
    this.#values = registers.map(() => []);
    this.#numbers = registers.map(() => new Map());
    this.init = registers.map(({ value }, variable) => this.#numberOf(variable, value.value as RuntimeValue));
    const names = registers.map(({ name }) => name);
    for (const [variable, register] of [...vars.values()].entries())
      Object.defineProperty(register, "value", { get: () => this.#read({ variable, field: null })?.either });
    for (const each of expressions) this.#readLess(each, names);
  }

  /** @throws Error what Quint says when the expression has no value */
  compile(expression: QuintEx): Evaluation {
    const evaluate = buildExpr(this.#builder, expression);
    const root: Known = {};
    return (state) => {
      let known = root;
      while (known.reads !== undefined) known = this.#follow(known, known.reads, state);
      if (known.result === undefined) {
        const result = this.#evaluate(evaluate, state);
        for (const cell of this.#reads) known = this.#follow(known, cell, state);
        known.result = result;
      }
      return known.result ?? null;
    };
  }

  /** The state for people. */
  format(state: State): string {
    return this.#numbers.map((numbers, variable) => [...numbers.keys()][state[variable] ?? -1]).join("; ");
  }

  /** Lets the evaluator read a field alone, and nothing where a variable keeps its value (`robot' = robot`). */
  #readLess(expression: QuintEx, names: readonly string[]): void {
    if (expression.kind !== "app") return;
    const [first, second] = expression.args;
    const variable = first?.kind === "name" ? names.indexOf(first.name) : -1;
    if (variable < 0 || first?.kind !== "name") return;
    const { memo } = this.#builder;
    if (expression.opcode === "field" && second?.kind === "str") {
      const field = second.value;
      memo.set(expression.id, () => {
        const value = this.#read({ variable, field })?.fields.get(field);
        return right(typeof value === "boolean" ? rv.mkBool(value) : rv.mkStr(value ?? ""));
      });
    }
    if (expression.opcode === "assign" && second?.kind === "name" && second.name === first.name)
      memo.set(expression.id, () => right(rv.mkBool(true)));
  }

  #evaluate(evaluate: ReturnType<typeof buildExpr>, state: State): Change | null {
    const { cachesToClear, nextVars } = this.#context.varStorage;
    for (const cache of cachesToClear) cache.value = undefined;
    const registers = [...nextVars.values()];
    const kept = right<never, RuntimeValue>(rv.mkBool(false));
    for (const register of registers) register.value = kept;
    this.#state = state;
    this.#reads = [];
    const result = evaluate(this.#context);
    if (result.isLeft()) throw new Error(result.value.message);
    if (!(result.value as RuntimeValue).toBool()) return null;
    return registers.map(({ value }, variable) =>
      value === kept ? null : this.#numberOf(variable, value.value as RuntimeValue),
    );
  }

  #follow(known: Known, cell: Cell, state: State): Known {
    known.reads = cell;
    known.byValue ??= new Map();
    const number = state[cell.variable] ?? -1;
    const value = cell.field === null ? number : this.#values[cell.variable]?.[number]?.fields.get(cell.field);
    let child = known.byValue.get(value);
    if (child === undefined) {
      child = {};
      known.byValue.set(value, child);
    }
    return child;
  }

  #read(cell: Cell): Value | undefined {
    if (!this.#reads.some(({ variable, field }) => variable === cell.variable && field === cell.field))
      this.#reads.push(cell);
    return this.#values[cell.variable]?.[this.#state[cell.variable] ?? -1];
  }

  #numberOf(variable: number, value: RuntimeValue): number {
    const [numbers, values] = [this.#numbers[variable], this.#values[variable]];
    if (!numbers || !values) throw new Error("There is no such variable.");
    const fields = new Map([...value.toOrderedMap()].map(([name, field]) => [name, plain(field)]));
    const key = [...fields].map(([name, field]) => `${name} ${field}`).join(", ");
    const number = numbers.get(key) ?? values.push({ either: right(value), fields }) - 1;
    numbers.set(key, number);
    return number;
  }
}

function plain(field: RuntimeValue): string | boolean {
  const value = rv.toQuintEx(field);
  if (value.kind === "str" || value.kind === "bool") return value.value;
  throw new Error(`A field is a text or a truth value, not ${value.kind}.`);
}
