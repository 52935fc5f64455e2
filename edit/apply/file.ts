import { readFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { REFUSALS } from "../refusal.ts";
import { BOM } from "../text/lines.ts";
import { hashText } from "./apply.ts";

/** A text file and the hash of its bytes, which shows whether it changed since it was read. */
export interface SourceFile {
  path: string;
  text: string;
  hash: string;
}

/**
 * Reads a file of UTF-8 text, a byte order mark included.
 * @throws WorkbenchError `edit-refused` for bytes that are not UTF-8 or contain NUL, `bad-request` when it cannot be read
 */
export async function readSource(path: string): Promise<SourceFile> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new WorkbenchError("bad-request", `${path} cannot be read (${cause.code}).`, { cause });
  });
  return { path, text: decode(path, bytes), hash: hashText(bytes) };
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
  }
  throw new WorkbenchError("edit-refused", `${REFUSALS.undecodable}: ${path}. Save it as UTF-8 first.`);
}

/**
 * Writes the edited text atomically: a reader sees the old file or the new one.
 * @throws WorkbenchError `edit-refused` when the file changed since it was read
 */
export async function writeSource({ path, hash }: SourceFile, text: string): Promise<void> {
  const { hash: found } = await readSource(path);
  if (found !== hash) {
    const detail = `${REFUSALS["base-changed"]}: ${path}. Nothing was written; run the edit again.`;
    throw new WorkbenchError("edit-refused", detail);
  }
  await writeFileAtomic(path, text);
}

/** The text that a model is shown: without byte order mark, lines ended by "\n". Answers are applied to the original. */
export function textForModel(text: string): string {
  return (text.startsWith(BOM) ? text.slice(BOM.length) : text).replaceAll("\r\n", "\n");
}
