import type { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/** What a text message says. Throws `bad-request` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WorkbenchError("bad-request", `message: not JSON: ${(error as Error).message}`);
  }
}

/** The value as the schema reads it; throws `bad-request` naming each field that does not fit and why. */
export function validate<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${[what, ...issue.path].join(".")}: ${issue.message}`);
  throw new WorkbenchError("bad-request", faults.join("; "));
}
