import { z } from "zod";
import { readJson, writeJson } from "../json-file.ts";

const Remembered = z.object({ startup_app: z.string().nullable() });

/** The startup app's name as the data folder remembers it; null when there is none or the file is unreadable. */
export async function recallName(file: string): Promise<string | null> {
  return (await readJson(file, Remembered))?.startup_app ?? null;
}

export async function rememberName(file: string, name: string | null): Promise<void> {
  await writeJson(file, { startup_app: name });
}
