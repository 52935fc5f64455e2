import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { WorkbenchError } from "./errors.ts";

/** Shorter names, such as x and y, are near to everything. */
const SHORTEST = 3;

/**
 * Refuses a field that was surely meant to be another one, as `antenna` for `antennas`: it would be passed over, and
 * the request do less than it says. Fields that resemble none are left to clients that send more than is asked for.
 * @param value fits the schema
 * @throws WorkbenchError `bad-request` with the path of the field and the name that was meant
 */
export function refuseMisspelt(schema: z.ZodType, value: unknown, what: string): void {
  const shape = shapeOf(schema);
  if (shape === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const known = shape[key];
    if (known !== undefined) refuseMisspelt(known, inner, `${what}.${key}`);
    else {
      const meant = Object.keys(shape).find((name) => !Object.hasOwn(value, name) && isNear(key, name));
      if (meant !== undefined)
        throw new WorkbenchError("bad-request", `${what}.${key} is no field of this request; it must be ${meant}.`);
    }
  }
}

const isNear = (key: string, name: string): boolean =>
  Math.min(key.length, name.length) >= SHORTEST &&
  key.length < 2 * name.length &&
  distance(key.toLowerCase(), name) <= Math.max(1, name.length / 4);

/** The fields of an object schema, also of one that may be absent or that has alternatives which are no objects. */
function shapeOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return shapeOf(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const objects = schema.options.map((option) => shapeOf(option as z.ZodType)).filter((shape) => shape !== undefined);
  return objects.length === 1 ? objects[0] : undefined;
}
