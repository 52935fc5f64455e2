import { readFile } from "node:fs/promises";
import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { z } from "zod";
import { flushEntry } from "./flush.ts";

/** What a file of ours holds; null when there is none, or when it is not what it should be. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, "utf8").catch(() => "null");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Replaces a file of ours, all of it or not at all; when it settles, the file outlasts a power loss. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`);
  await flushEntry(path.dirname(file));
}
