import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { userFolder } from "../../common/machine/user-folders.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { hashText } from "../apply/apply.ts";
import { type SourceFile, writeSource } from "../apply/file.ts";

const Entry = z.object({
  time: z.string(),
  instruction: z.string(),
  before: z.string(),
  /** Hash of the file's bytes after the edit; the edit can be undone while the file has it. */
  after: z.string(),
});
/** One applied edit. */
export type Entry = z.infer<typeof Entry>;

/** When and why an edit is made. */
type Made = Pick<Entry, "time" | "instruction">;

/** Number of edits that a journal keeps. */
const MAX_ENTRIES = 50;

/** Folder of the journals: `$XDG_STATE_HOME/robot-app-assistant`, by default below `~/.local/state`. */
export function journalFolder(env: Readonly<Record<string, string | undefined>>): string {
  return userFolder("state", "robot-app-assistant", env);
}

/**
 * Reads the edits applied to a file, oldest first. A journal that cannot be read counts as empty. An entry whose edit
 * never reached the file, because its write failed or was interrupted, is left out.
 */
export async function readJournal(folder: string, { path, hash }: SourceFile): Promise<Entry[]> {
  const text = await readFile(pathOf(folder, path), "utf8").catch(() => "[]");
  const entries = parseEntries(text);
  const isUnwritten = (entry: Entry | undefined) =>
    entry !== undefined && entry.after !== hash && hashText(entry.before) === hash;
  while (isUnwritten(entries.at(-1))) entries.pop();
  return entries;
}

/**
 * Writes an edit so that it can be undone: its journal entry first, then the file, each atomically. When the journal
 * cannot be written, the file stays as it is.
 * @throws WorkbenchError `edit-refused` when the journal cannot be written, or the file changed since it was read
 */
export async function writeEdit(folder: string, source: SourceFile, result: string, made: Made): Promise<void> {
  const entry: Entry = { ...made, before: source.text, after: hashText(result) };
  await writeEntries(folder, source.path, [...(await readJournal(folder, source)), entry]);
  await writeSource(source, result);
}

/**
 * Undoes the last edit of a file: the file first, then its journal.
 * @throws WorkbenchError `edit-refused` when the file changed since it was read
 */
export async function undoEdit(folder: string, source: SourceFile, entries: readonly Entry[]): Promise<void> {
  const last = entries.at(-1);
  if (last === undefined) return;
  await writeSource(source, last.before);
  await writeEntries(folder, source.path, entries.slice(0, -1));
}

function parseEntries(text: string): Entry[] {
  try {
    return z.array(Entry).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Replaces a file's journal, keeping the latest entries. */
async function writeEntries(folder: string, file: string, entries: readonly Entry[]): Promise<void> {
  const path = pathOf(folder, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(entries.slice(-MAX_ENTRIES))}\n`, { mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = "Make that folder writable, or name another one with XDG_STATE_HOME.";
    const detail = `The journal of edits in ${folder} cannot be written (${reason}). ${advice}`;
    throw new WorkbenchError("edit-refused", detail, { cause });
  }
}

const pathOf = (folder: string, file: string) => join(folder, `${hashText(file).slice(0, 16)}.json`);
