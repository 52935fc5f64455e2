import type { z } from "zod";
import { WorkbenchError } from "./errors.ts";
import { shown } from "./shown.ts";

/** Faults that are told of; the others are counted. */
const LISTED = 3;

/**
 * A value that came from outside, as a schema reads it.
 * @param what names the value: `body`
 * @param next a sentence on where the rules stand
 * @throws WorkbenchError `bad-request` with the path of each fault, the value there and what is allowed
 */
export function read<T extends z.ZodType>(schema: T, value: unknown, what: string, next = ""): z.output<T> {
  const result = schema.safeParse(value, { error: allowed });
  if (result.success) return result.data;
  const faults = [...faultsOf(result.error.issues, [])];
  const told = faults.slice(0, LISTED).map(({ path, must }) => {
    const at = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
    return `${placeOf(what, path)} is ${at === undefined ? "missing" : shown(at)}; it must be ${must}.`;
  });
  if (faults.length > LISTED) told.push(`${faults.length - LISTED} more do not fit.`);
  throw new WorkbenchError("bad-request", [...told, ...(next === "" ? [] : [next])].join(" "));
}

interface Fault {
  path: PropertyKey[];
  /** What goes after "it must be". */
  must: string;
}

/** Of a union, the faults of the alternative that fits furthest in; all alternatives where none begins to fit. */
function* faultsOf(issues: readonly z.core.$ZodIssue[], above: PropertyKey[]): Generator<Fault> {
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    const alternatives = issue.code === "invalid_union" ? issue.errors : [];
    const depthOf = (faults: readonly z.core.$ZodIssue[]) => Math.max(...faults.map((fault) => fault.path.length));
    const best = [...alternatives].sort((one, other) => depthOf(other) - depthOf(one))[0];
    // A union without words of its own has those of its alternatives.
    if (best === undefined || issue.message !== "Invalid input") yield { path, must: issue.message };
    else if (depthOf(best) > 0) yield* faultsOf(best, path);
    else yield { path, must: [...new Set(alternatives.map(([first]) => first?.message))].join(" or ") };
  }
}

/** `body.antennas[1]` */
function placeOf(what: string, path: readonly PropertyKey[]): string {
  const step = (key: PropertyKey) => {
    if (typeof key === "number") return `[${key}]`;
    return /^\w{1,40}$/.test(String(key)) ? `.${String(key)}` : `[${shown(String(key))}]`;
  };
  return what + path.map(step).join("");
}

const NOUNS: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  stringbool: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  tuple: "a list",
  null: "null",
  nonoptional: "given",
};

/** What a schema allows, as the words after "it must be"; a schema's own words come before these. */
function allowed(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return typeof issue.input === "number" && !Number.isFinite(issue.input)
        ? "a finite number"
        : NOUNS[issue.expected];
    case "invalid_value":
      return NOUNS[String(issue.expected)] ?? choiceOf(issue.values);
    case "invalid_union":
      return Array.isArray(issue.options) ? choiceOf(issue.options) : undefined;
    case "too_small":
      return bounded(issue, issue.inclusive ? "at least" : "above", issue.minimum);
    case "too_big":
      return bounded(issue, issue.inclusive ? "at most" : "below", issue.maximum);
    default:
      return undefined;
  }
}

const choiceOf = (values: readonly unknown[]): string =>
  `${values.length === 1 ? "" : "one of "}${values.map((value) => shown(value)).join(", ")}`;

function bounded({ origin, exact }: z.core.$ZodRawIssue, how: string, bound: unknown): string {
  const amount = `${exact === true ? "exactly" : how} ${String(bound)}`;
  if (origin === "string") return `a text of ${amount} characters`;
  return origin === "array" ? `a list of ${amount} items` : amount;
}
