import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { z } from "zod";
import { isDiskFull } from "../../common/files/disk-full.ts";
import { flushEntry } from "../../common/files/flush.ts";
import { ensureFolder } from "../../common/files/make-folder.ts";
import { ifUnusable } from "../../common/machine/absent.ts";
import { readRegularFile } from "../../common/machine/read-if-present.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { jsonOrNull } from "../../robot/wire/validation/parse-json.ts";

/** Reads a JSON file; null when it does not exist, cannot be read, does not parse or does not fit the schema. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readRegularFile(file).catch(ifUnusable("null"));
  return schema.safeParse(jsonOrNull(text)).data ?? null;
}

interface WriteOptions {
  /** What the file keeps, for people, at the begin of a sentence: `The choice of the startup app`. */
  what?: string;
  /** Permissions. Default: those of a new file. */
  mode?: number;
  /** False leaves it to the system when the content reaches the disk. Default: true. */
  sync?: boolean;
}

/**
 * Replaces a JSON file completely or not at all. When this resolves, the new content survives a power loss.
 * @throws WorkbenchError `disk-full` with what was not saved; Error of the system
 */
export function writeJson(file: string, value: unknown, options: WriteOptions = {}): Promise<void> {
  return writeText(file, `${JSON.stringify(value, null, 2)}\n`, options);
}

/** As `writeJson`, for any text. @throws as `writeJson` */
export async function writeText(
  file: string,
  text: string,
  { what = path.basename(file), mode, sync = true }: WriteOptions = {},
): Promise<void> {
  try {
    ensureFolder(path.dirname(file));
    await writeFileAtomic(file, text, { fsync: sync, ...(mode !== undefined && { mode }) });
    if (sync) await flushEntry(path.dirname(file)); // the new name of the file
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const why = `the disk of ${path.dirname(file)} is full`;
    throw new WorkbenchError("disk-full", `${what} was not saved: ${why}. Make room and try again.`, { cause: error });
  }
}
