import { z } from "zod";
import { closestMatch } from "../../../common/closest-match.ts";
import { type ErrorCode, WorkbenchError } from "../errors.ts";
import { formatForMessage } from "./format-for-message.ts";

/** Number of problems that a message describes; the others are counted. */
const MAX_DESCRIBED = 3;

/**
 * Parses a value from outside: the one entry for request bodies, messages and files. Within our own processes types
 * suffice.
 * @param what name of the value in the message, for example `body`
 * @param options.next a sentence with the next step, at the end of the message
 * @param options.code code of the error, `bad-request` unless given
 * @throws WorkbenchError with the path of each problem, the value there and what is allowed
 */
export function parseOrThrow<T extends z.ZodType>(
  schema: T,
  value: unknown,
  what: string,
  { next, code = "bad-request" }: { next?: string; code?: ErrorCode } = {},
): z.output<T> {
  const result = schema.safeParse(value, { error: allowedValues });
  if (result.success) return result.data;
  const problems = [...problemsOf(result.error.issues, [])];
  const sentences = problems.slice(0, MAX_DESCRIBED).map(({ path, must }) => {
    const at = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
    return `${placeOf(what, path)} is ${at === undefined ? "missing" : formatForMessage(at)}; it must be ${must}${must.endsWith("?") ? "" : "."}`;
  });
  if (problems.length > MAX_DESCRIBED) sentences.push(`${problems.length - MAX_DESCRIBED} more fields are wrong.`);
  throw new WorkbenchError(code, [...sentences, ...(next === undefined ? [] : [next])].join(" "));
}

/**
 * Checks a value from outside as `parseOrThrow` does, for values that are used as they are: the order of their keys stays.
 * @throws WorkbenchError with the path of each problem, the value there and what is allowed
 */
export function assertMatches<T extends z.ZodType>(
  schema: T,
  value: unknown,
  ...rest: [what: string, options?: { next?: string; code?: ErrorCode }]
): asserts value is z.input<T> {
  parseOrThrow(schema, value, ...rest);
}

interface InputProblem {
  path: PropertyKey[];
  /** What goes after "it must be". */
  must: string;
}

/** Of a union: the problems of the alternative that matches deepest; all alternatives when none matches in part. */
function* problemsOf(issues: readonly z.core.$ZodIssue[], above: PropertyKey[]): Generator<InputProblem> {
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    const alternatives = issue.code === "invalid_union" ? issue.errors : [];
    const depthOf = (inner: readonly z.core.$ZodIssue[]) => Math.max(...inner.map((each) => each.path.length));
    const best = [...alternatives].sort((one, other) => depthOf(other) - depthOf(one))[0];
    // A union without its own message gets those of its alternatives.
    if (best === undefined || issue.message !== "Invalid input") yield { path, must: issue.message };
    else if (depthOf(best) > 0) yield* problemsOf(best, path);
    else yield { path, must: [...new Set(alternatives.map(([first]) => first?.message))].join(" or ") };
  }
}

/** `body.antennas[1]`, `pyproject.toml.project.entry-points` */
function placeOf(what: string, path: readonly PropertyKey[]): string {
  const step = (key: PropertyKey) => {
    if (typeof key === "number") return `[${key}]`;
    return /^[\w-]{1,40}$/.test(String(key)) ? `.${String(key)}` : `[${formatForMessage(String(key))}]`;
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

const FORMATS: Readonly<Record<string, string>> = { date: "a date, YYYY-MM-DD", url: "an address", uuid: "a UUID" };

/** What a schema allows, as the words after "it must be". A message in the schema itself takes precedence. */
function allowedValues(issue: z.core.$ZodRawIssue): string | undefined {
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
    case "invalid_format":
      return FORMATS[issue.format];
    case "unrecognized_keys":
      return withoutFields(issue.keys, issue.inst);
    default:
      return undefined;
  }
}

/** An object without its unknown fields; the known field that may have been meant, or all known ones. */
function withoutFields(unknown: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const meant = unknown.flatMap((name) => closestMatch(name, known) ?? []);
  const names = unknown.map((name) => formatForMessage(name)).join(", ");
  return `without ${names}: ${meant.length > 0 ? `did you mean ${meant.join(", ")}?` : `its fields are ${known.join(", ")}`}`;
}

const choiceOf = (values: readonly unknown[]): string =>
  `${values.length === 1 ? "" : "one of "}${values.map((value) => formatForMessage(value)).join(", ")}`;

function bounded({ origin, exact }: z.core.$ZodRawIssue, how: string, bound: unknown): string {
  const amount = `${exact === true ? "exactly" : how} ${String(bound)}`;
  if (origin === "string") return `a text of ${amount} characters`;
  return origin === "array" ? `a list of ${amount} items` : amount;
}
