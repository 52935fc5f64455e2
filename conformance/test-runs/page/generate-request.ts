import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import type { RouteSchema, Schema } from "./openapi.ts";

/** A request to a settings page. `body` is the text of a JSON body; null for none. */
export interface GeneratedRequest {
  method: string;
  /** With the query. */
  path: string;
  body: string | null;
}

/** Share of the values that do not fit the schema. */
const UNFIT = 0.3;
/** Share of the bodies that are no JSON of any schema. */
const BROKEN_BODY = 0.1;
const BROKEN_BODIES = ["", "{", "[]", "null", '"text"', "{}"];
const STRANGE: readonly unknown[] = [
  0,
  1,
  -1,
  1e308,
  -1e-308,
  2 ** 53,
  "",
  " ",
  "é",
  "\u0000",
  "..",
  "9".repeat(40),
  true,
  null,
  [],
  {},
];
const DEEPEST = 4;

/** Generates random requests to declared routes: values that fit their schemas, their limits, and some that do not fit. */
export class RequestGenerator {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #random: () => number;

  /** @param random from 0 to 1 */
  constructor(schemas: Readonly<Record<string, Schema>>, random: () => number) {
    this.#schemas = schemas;
    this.#random = random;
  }

  request(routes: readonly RouteSchema[]): GeneratedRequest {
    const route = this.#pick(routes);
    const values = new Map(route.parameters.map(({ name, schema }) => [name, textOf(this.#value(schema))]));
    const inPath = (name: string) => encodeURIComponent(values.get(name) ?? textOf(this.#pick(STRANGE))) || "%20";
    const path = route.path.replace(/\{([^}:]*)[^}]*\}/g, (_, name: string) => inPath(name));
    const query = route.parameters.flatMap((parameter) =>
      parameter.in === "query" ? [`${parameter.name}=${encodeURIComponent(values.get(parameter.name) ?? "")}`] : [],
    );
    return {
      method: route.method,
      path: query.length === 0 ? path : `${path}?${query.join("&")}`,
      body: route.method === "GET" ? null : this.#body(route.body),
    };
  }

  #body(schema: Schema | null): string {
    if (schema === null || this.#random() < BROKEN_BODY) return this.#pick(BROKEN_BODIES);
    return JSON.stringify(this.#value(schema)) ?? "";
  }

  #value(schema: Schema, depth = 0): unknown {
    if (depth > DEEPEST || (depth > 0 && this.#random() < UNFIT)) return this.#pick(STRANGE);
    const name = schema.$ref?.split("/").at(-1);
    if (name !== undefined) return this.#value(this.#schemas[name] ?? {}, depth);
    const variants = schema.anyOf ?? schema.allOf;
    if (variants !== undefined && variants.length > 0) return this.#value(this.#pick(variants), depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined && schema.enum.length > 0) return this.#pick(schema.enum);
    return this.#typed(schema, depth);
  }

  #typed(schema: Schema, depth: number): unknown {
    switch (schema.type) {
      case "integer":
        return Math.round(this.#number(schema));
      case "number":
        return this.#number(schema);
      case "boolean":
        return this.#random() < 0.5;
      case "null":
        return null;
      case "string":
        return this.#pick(["", "a", "text", "é", "../..", "9".repeat(40)]);
      case "array":
        return Array.from({ length: Math.floor(4 * this.#random()) }, () => this.#value(schema.items ?? {}, depth + 1));
      case "object":
        return this.#object(schema, depth);
      default:
        return this.#pick(STRANGE);
    }
  }

  #object({ properties = {}, required = [] }: Schema, depth: number): unknown {
    const names = Object.keys(properties).filter((name) => required.includes(name) || this.#random() < 0.7);
    return Object.fromEntries(names.map((name) => [name, this.#value(properties[name] ?? {}, depth + 1)]));
  }

  /** The limits and what lies just beyond them, zero, and numbers between. */
  #number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): number {
    const [low, high] = [minimum ?? exclusiveMinimum ?? -1000, maximum ?? exclusiveMaximum ?? 1000];
    return this.#pick([low, high, low - 1, high + 1, 0, low + (high - low) * this.#random()]);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * Simpler requests than one that failed: without a body, with single fields left out, without a query. Each is shorter, so
 * simplifying comes to an end.
 */
export function simplerRequests(request: GeneratedRequest): GeneratedRequest[] {
  const [path = "/"] = request.path.split("?");
  const candidates: GeneratedRequest[] = [];
  if (request.body !== null) {
    for (const body of ["", "{}"]) candidates.push({ ...request, path, body });
    for (const body of withoutSingleFields(request.body)) candidates.push({ ...request, body });
  }
  if (path !== request.path) candidates.push({ ...request, path });
  return candidates.filter((candidate) => lengthOf(candidate) < lengthOf(request));
}

const lengthOf = ({ path, body }: GeneratedRequest): number => path.length + (body?.length ?? 0);

function withoutSingleFields(body: string): string[] {
  const value = jsonOrNull(body);
  if (value === null || typeof value !== "object" || Array.isArray(value)) return [];
  const entries = Object.entries(value);
  return entries.map(([left]) => JSON.stringify(Object.fromEntries(entries.filter(([name]) => name !== left))));
}
