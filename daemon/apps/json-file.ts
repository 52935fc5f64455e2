import { readFile } from "node:fs/promises";
import type { z } from "zod";

/** What a file of ours holds; null when there is none, or when it is not what it should be. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, "utf8").catch(() => "null");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
