import fc from "fast-check";
import type { OpenApi, Operation, Schema } from "../openapi.ts";

/** One request as it goes over the wire. */
export interface RandomRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The declared operation it aims at. */
  operation: Operation;
}

/** Values that fit a schema, mostly; the schema's finer rules (refinements) are left to chance. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { type, properties, required, items, prefixItems, additionalProperties } = schema as {
    type?: string;
    properties?: Record<string, Schema>;
    required?: string[];
    items?: Schema;
    prefixItems?: Schema[];
    additionalProperties?: Schema;
  };
  const either = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (either) return fc.oneof(...either.map(fitting));
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (type) {
    case "object": {
      const fields = Object.fromEntries(Object.entries(properties ?? {}).map(([name, of]) => [name, fitting(of)]));
      if (properties === undefined && additionalProperties)
        return fc.dictionary(fc.string(), fitting(additionalProperties));
      return fc.record(fields, { requiredKeys: required ?? [] });
    }
    case "array": {
      if (prefixItems) return fc.tuple(...prefixItems.map(fitting));
      const { minItems = 0, maxItems = 16 } = schema as { minItems?: number; maxItems?: number };
      return fc.array(items ? fitting(items) : fc.jsonValue(), { minLength: minItems, maxLength: maxItems });
    }
    case "integer":
    case "number":
      return numberIn(schema);
    case "string":
      return fc.string();
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function numberIn({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  const min = Number(minimum ?? exclusiveMinimum ?? -10);
  const max = Number(maximum ?? Math.max(min, 10));
  if (type === "integer") return fc.integer({ min: Math.max(min, -1e6), max: Math.min(max, 1e6) });
  return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max, 0));
}

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"];

/** Texts that are apps, jobs, modes of this daemon, or trouble. */
const someText = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...names),
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("..", "../..", "%", "/etc/passwd", "__proto__", "\0", "a".repeat(5000)),
  );

/**
 * Requests for every operation of a document: mostly right ones, and ones whose body, type, method or encoding is wrong.
 * `names` are texts worth trying where the document says no more than "string".
 */
export function requestsOf(document: OpenApi, names: readonly string[]): fc.Arbitrary<RandomRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: usual, weight: 4 }, { arbitrary: rare, weight: 1 });
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    const right = schema ? fitting(schema) : fc.constant(undefined);
    const query = operation.parameters.filter((parameter) => parameter.in === "query");
    return fc
      .record({
        method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
        parts: fc.array(someText(names), { minLength: 4, maxLength: 4 }),
        value: mostly(right, fc.jsonValue()),
        cut: mostly(fc.constant(0), fc.nat(3)),
        type: mostly(fc.constant("application/json"), fc.constantFrom("text/plain", "application/json; charset=x", "")),
        query: fc.record(
          Object.fromEntries(query.map(({ name, schema: of }) => [name, mostly(fitting(of), fc.string())])),
          { requiredKeys: [] },
        ),
        raw: mostly(fc.constant(false), fc.boolean()),
      })
      .map(({ parts, value, cut, type, query: given, raw, method: way }) => {
        const encode = (text: string) => (raw ? text.replace(/[^!-~]/g, "").slice(0, 50) : encodeURIComponent(text));
        let next = 0;
        const filled = path.replace(/\{\w+\}/g, () => encode(parts[next++ % parts.length] ?? ""));
        const search = new URLSearchParams(
          Object.entries(given).map(([name, of]): [string, string] => [name, String(of)]),
        ).toString();
        const text = value === undefined ? undefined : JSON.stringify(value);
        const body = text === undefined || cut === 0 ? text : text.slice(0, -cut);
        return {
          method: way,
          path: search === "" ? filled : `${filled}?${search}`,
          headers: body === undefined || type === "" ? {} : { "content-type": type },
          ...(body === undefined ? {} : { body }),
          operation,
        };
      });
  });
}
