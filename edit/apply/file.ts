import { lstat, readFile } from "node:fs/promises";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { REFUSALS } from "../refusal.ts";
import { BOM } from "../text/lines.ts";
import { hashText } from "./apply.ts";

/** A text file and the hash of its bytes, which shows whether it changed since it was read. */
export interface SourceFile {
  path: string;
  text: string;
  /** `NO_FILE` for a file that does not exist yet. */
  hash: string;
}

/** In the place of the hash of a file that does not exist. */
export const NO_FILE = "";

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

/** Reads a file as `readSource`, or one that does not exist yet, which has no text. @throws as `readSource` */
export async function readPossibleSource(path: string): Promise<SourceFile> {
  return (await exists(path)) ? readSource(path) : { path, text: "", hash: NO_FILE };
}

/** Whether there is something at a path, even a link that leads nowhere. */
const exists = (path: string) =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );

/** A file and its new text; null deletes it. */
export interface Change {
  source: SourceFile;
  text: string | null;
}

/** The text that a model is shown: without byte order mark, lines ended by "\n". Answers are applied to the original. */
export function textForModel(text: string): string {
  return (text.startsWith(BOM) ? text.slice(BOM.length) : text).replaceAll("\r\n", "\n");
}
