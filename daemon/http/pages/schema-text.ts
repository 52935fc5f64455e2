import type { Schema } from "../rest/openapi.ts";

interface SchemaFields {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema | false;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

/** Formats a JSON Schema like a TypeScript type: `{ duration?: number  // Seconds }`. */
export function schemaText(schema: Schema, indent = ""): string {
  const { type, properties, required = [], items, prefixItems, additionalProperties } = schema as SchemaFields;
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (alternatives) return [...new Set(alternatives.map((one) => schemaText(one, indent)))].join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (prefixItems) return `[${prefixItems.map((one) => schemaText(one, indent)).join(", ")}]`;
  if (type === "array") return `${items ? parenthesize(schemaText(items, indent)) : "any"}[${lengthOf(schema)}]`;
  if (type !== "object") return type === undefined ? "any" : `${type}${rangeOf(schema)}`;
  if (properties === undefined)
    return typeof additionalProperties === "object"
      ? `{ [name]: ${schemaText(additionalProperties, indent)} }`
      : "{ ... }";
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, of]) => {
    const { description } = of as SchemaFields;
    const optional = required.includes(name) ? "" : "?";
    const defaultText = of.default === undefined ? "" : ` = ${JSON.stringify(of.default)}`;
    return `${inner}${name}${optional}: ${schemaText(of, inner)}${defaultText}${description ? `  // ${description}` : ""}\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

const parenthesize = (text: string): string => (text.includes(" | ") ? `(${text})` : text);

const lengthOf = ({ minItems, maxItems }: Schema): string =>
  minItems !== undefined && minItems === maxItems ? String(minItems) : "";

function rangeOf({ minimum, maximum, exclusiveMinimum }: Schema): string {
  // zod declares the range of safe integers, which means nothing to a reader.
  const isMeaningful = (bound: unknown): bound is number =>
    typeof bound === "number" && Number.isFinite(bound) && Math.abs(bound) < 2 ** 53 - 1;
  const low = isMeaningful(exclusiveMinimum)
    ? `above ${exclusiveMinimum}`
    : isMeaningful(minimum)
      ? `from ${minimum}`
      : "";
  const high = isMeaningful(maximum) ? `to ${maximum}` : "";
  return [low, high].some(Boolean) ? ` ${[low, high].filter(Boolean).join(" ")}` : "";
}
