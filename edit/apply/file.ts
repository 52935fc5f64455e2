import { lstat, mkdir, readFile, rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
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
  /** The first folder that has to be made for a new file; it is removed with the file when it is empty. */
  newFolder?: string;
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
  if (await exists(path)) return readSource(path);
  let newFolder: string | undefined;
  for (let folder = dirname(path); !(await exists(folder)); folder = dirname(folder)) newFolder = folder;
  return { path, text: "", hash: NO_FILE, ...(newFolder === undefined ? {} : { newFolder }) };
}

/** Whether there is something at a path, even a link that leads nowhere. */
const exists = (path: string) =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );

/**
 * Writes the edited text atomically: a reader sees the old file or the new one. The folders of a new file are made; with
 * null the file is deleted, and the folders that were made for it, unless there is something else in them.
 * @throws WorkbenchError `edit-refused` when the file changed since it was read, or cannot be written
 */
export async function writeSource({ path, hash, newFolder }: SourceFile, text: string | null): Promise<void> {
  const { hash: found } = await readPossibleSource(path);
  if (found !== hash) {
    const detail = `${REFUSALS["base-changed"]}: ${path}. Nothing was written; run the edit again.`;
    throw new WorkbenchError("edit-refused", detail);
  }
  try {
    if (text === null) {
      await unlink(path);
      return await removeFolders(path, newFolder);
    }
    if (newFolder !== undefined) await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, text);
  } catch (cause) {
    if (hash === NO_FILE) await removeFolders(path, newFolder);
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new WorkbenchError("edit-refused", `${path} cannot be written (${code ?? message}).`, { cause });
  }
}

/** Removes the folders of a file, up to one of them, as far as they are empty. */
async function removeFolders(path: string, last: string | undefined): Promise<void> {
  if (last === undefined) return;
  try {
    for (let folder = dirname(path); folder.startsWith(last); folder = dirname(folder)) await rmdir(folder);
  } catch {
    // It does not exist, or there is something else in it.
  }
}

/** A file and its new text; null deletes it. */
export interface Change {
  source: SourceFile;
  text: string | null;
}

/**
 * Writes several files, or none: when one cannot be written, those before it are put back.
 * @throws WorkbenchError `edit-refused`, with the files that could not be put back
 */
export async function writeAllOrNone(changes: readonly Change[], write = writeSource): Promise<void> {
  const written: Change[] = [];
  try {
    for (const change of changes) {
      await write(change.source, change.text);
      written.push(change);
    }
  } catch (cause) {
    const stuck: string[] = [];
    for (const { source, text } of written.reverse()) {
      const now = { ...source, hash: text === null ? NO_FILE : hashText(text) };
      await write(now, source.hash === NO_FILE ? null : source.text).catch(() => stuck.push(source.path));
    }
    if (stuck.length === 0) throw cause;
    const detail = `${(cause as Error).message} These files were written and could not be put back: ${stuck.join(", ")}.`;
    throw new WorkbenchError("edit-refused", `${detail} Undo the edit to put them back.`, { cause });
  }
}

/** The text that a model is shown: without byte order mark, lines ended by "\n". Answers are applied to the original. */
export function textForModel(text: string): string {
  return (text.startsWith(BOM) ? text.slice(BOM.length) : text).replaceAll("\r\n", "\n");
}
