import { z } from "zod";
import { closestMatch } from "../../../common/closest-match.ts";
import { WorkbenchError } from "../errors.ts";

/**
 * Rejects an unknown field whose name is close to a known one, as `antenna` to `antennas`: it would be ignored, and the
 * request do less than the client expects. Other unknown fields are accepted, for clients that send additional data.
 * @param value matches the schema
 * @throws WorkbenchError `bad-request` with the path of the field and the name of the known one
 */
export function rejectUnknownFields(schema: z.ZodType, value: unknown, what: string): void {
  const shape = shapeOf(schema);
  if (shape === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const known = shape[key];
    if (known !== undefined) rejectUnknownFields(known, inner, `${what}.${key}`);
    else {
      const meant = closestMatch(
        key,
        Object.keys(shape).filter((name) => !Object.hasOwn(value, name)),
      );
      if (meant !== undefined)
        throw new WorkbenchError(
          "bad-request",
          `${what}.${key} is not a field of this request; did you mean ${meant}?`,
        );
    }
  }
}

/** The fields of an object schema; undefined for other schemas. Sees through optional, nullable and unions with one object. */
function shapeOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return shapeOf(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const objects = schema.options.map((option) => shapeOf(option as z.ZodType)).filter((shape) => shape !== undefined);
  return objects.length === 1 ? objects[0] : undefined;
}
