import { readFile } from "node:fs/promises";
import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { z } from "zod";
import { flushEntry } from "./flush.ts";

/** Reads a JSON file; null when it does not exist, cannot be read, does not parse or does not fit the schema. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, "utf8").catch(() => "null");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Replaces a JSON file completely or not at all. When this resolves, the new content survives a power loss. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`);
  await flushEntry(path.dirname(file)); // the new name of the file
}
