import { readFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { REFUSALS } from "../refusal.ts";
import { BOM } from "../text/lines.ts";
import { hashText } from "./apply.ts";

/** A text file as it was read, and the hash of its bytes to notice when it changes. */
export interface SourceFile {
  path: string;
  text: string;
  hash: string;
}

/**
 * Reads a file of UTF-8 text, a byte order mark included.
 * @throws WorkbenchError `edit-refused` for bytes that are no UTF-8 or that hold NUL, `bad-request` when it is not there
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
 * Writes the edited text in one step: a reader sees the old file or the new one, whatever happens in between.
 * @throws WorkbenchError `edit-refused` when the file is no longer the one that was read
 */
export async function writeSource({ path, hash }: SourceFile, text: string): Promise<void> {
  const { hash: found } = await readSource(path);
  if (found !== hash) {
    const detail = `${REFUSALS["base-changed"]}: ${path}. Nothing was written; run the edit again.`;
    throw new WorkbenchError("edit-refused", detail);
  }
  await writeFileAtomic(path, text);
}

/** A file's text as models are shown it: without byte order mark, lines ended by "\n". Answers are applied to the original. */
export function shownText(text: string): string {
  return (text.startsWith(BOM) ? text.slice(BOM.length) : text).replaceAll("\r\n", "\n");
}
