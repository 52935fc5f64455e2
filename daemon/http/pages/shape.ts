import type { Schema } from "../openapi.ts";

interface Known {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema | false;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

/** A JSON Schema as a person would write the shape down: `{ duration?: number // Seconds }`. */
export function shape(schema: Schema, indent = ""): string {
  const { type, properties, required = [], items, prefixItems, additionalProperties } = schema as Known;
  const either = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (either) return [...new Set(either.map((one) => shape(one, indent)))].join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (prefixItems) return `[${prefixItems.map((one) => shape(one, indent)).join(", ")}]`;
  if (type === "array") return `${items ? inBrackets(shape(items, indent)) : "any"}[${lengthOf(schema)}]`;
  if (type !== "object") return type === undefined ? "any" : `${type}${rangeOf(schema)}`;
  if (properties === undefined)
    return typeof additionalProperties === "object" ? `{ [name]: ${shape(additionalProperties, indent)} }` : "{ ... }";
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, of]) => {
    const { description } = of as Known;
    const optional = required.includes(name) ? "" : "?";
    const preset = of.default === undefined ? "" : ` = ${JSON.stringify(of.default)}`;
    return `${inner}${name}${optional}: ${shape(of, inner)}${preset}${description ? `  // ${description}` : ""}\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

const inBrackets = (text: string): string => (text.includes(" | ") ? `(${text})` : text);

const lengthOf = ({ minItems, maxItems }: Schema): string =>
  minItems !== undefined && minItems === maxItems ? String(minItems) : "";

function rangeOf({ minimum, maximum, exclusiveMinimum }: Schema): string {
  // zod writes the whole numbers that JSON can hold as a range, which says nothing.
  const given = (bound: unknown): bound is number =>
    typeof bound === "number" && Number.isFinite(bound) && Math.abs(bound) < 2 ** 53 - 1;
  const low = given(exclusiveMinimum) ? `above ${exclusiveMinimum}` : given(minimum) ? `from ${minimum}` : "";
  const high = given(maximum) ? `to ${maximum}` : "";
  return [low, high].some(Boolean) ? ` ${[low, high].filter(Boolean).join(" ")}` : "";
}
