import fc from "fast-check";
import type { OpenApi, Operation, Schema } from "../rest/openapi.ts";

/** A request to send as it is. */
export interface RandomRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** What the document declares for its path and method; for a method that it does not declare, another operation of the path. */
  operation: Operation;
}

/** Generates values of a schema; refinements that JSON Schema cannot express may be violated. */
export function valuesFor(schema: Schema): fc.Arbitrary<unknown> {
  const { type, properties, required, items, prefixItems, additionalProperties } = schema as {
    type?: string;
    properties?: Record<string, Schema>;
    required?: string[];
    items?: Schema;
    prefixItems?: Schema[];
    additionalProperties?: Schema;
  };
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (alternatives) return fc.oneof(...alternatives.map(valuesFor));
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (type) {
    case "object": {
      const fields = Object.fromEntries(Object.entries(properties ?? {}).map(([name, of]) => [name, valuesFor(of)]));
      if (properties === undefined && additionalProperties)
        return fc.dictionary(fc.string(), valuesFor(additionalProperties));
      return fc.record(fields, { requiredKeys: required ?? [] });
    }
    case "array": {
      if (prefixItems) return fc.tuple(...prefixItems.map(valuesFor));
      const { minItems = 0, maxItems = 16 } = schema as { minItems?: number; maxItems?: number };
      return fc.array(items ? valuesFor(items) : fc.jsonValue(), { minLength: minItems, maxLength: maxItems });
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

/** Generates known names, random texts and dangerous ones. */
const anyText = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...names),
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("..", "../..", "%", "/etc/passwd", "__proto__", "\0", "a".repeat(5000)),
  );

/**
 * Generates requests for all operations of a document: mostly valid ones, and ones with a wrong body, type, method or
 * encoding.
 * @param names texts to try where the document says only "string"
 */
export function randomRequests(document: OpenApi, names: readonly string[]): fc.Arbitrary<RandomRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const mostly = <T>(common: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: common, weight: 4 }, { arbitrary: rare, weight: 1 });
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    const valid = schema ? valuesFor(schema) : fc.constant(undefined);
    const query = operation.parameters.filter((parameter) => parameter.in === "query");
    return fc
      .record({
        method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
        parts: fc.array(anyText(names), { minLength: 4, maxLength: 4 }),
        value: mostly(valid, fc.jsonValue()),
        cut: mostly(fc.constant(0), fc.nat(3)),
        type: mostly(fc.constant("application/json"), fc.constantFrom("text/plain", "application/json; charset=x", "")),
        query: fc.record(
          Object.fromEntries(query.map(({ name, schema: of }) => [name, mostly(valuesFor(of), fc.string())])),
          { requiredKeys: [] },
        ),
        raw: mostly(fc.constant(false), fc.boolean()),
      })
      .map(({ parts, value, cut, type, query: queryValues, raw, method: sentMethod }) => {
        const encode = (text: string) => (raw ? text.replace(/[^!-~]/g, "").slice(0, 50) : encodeURIComponent(text));
        let next = 0;
        const filled = path.replace(/\{\w+\}/g, () => encode(parts[next++ % parts.length] ?? ""));
        const search = new URLSearchParams(
          Object.entries(queryValues).map(([name, of]): [string, string] => [name, String(of)]),
        ).toString();
        const text = value === undefined ? undefined : JSON.stringify(value);
        const body = text === undefined || cut === 0 ? text : text.slice(0, -cut);
        return {
          method: sentMethod,
          path: search === "" ? filled : `${filled}?${search}`,
          headers: body === undefined || type === "" ? {} : { "content-type": type },
          ...(body === undefined ? {} : { body }),
          operation: document.paths[path]?.[sentMethod.toLowerCase()] ?? operation,
        };
      });
  });
}
