import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { userFolder } from "../../common/machine/user-folders.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { hashText } from "../apply/apply.ts";
import { type Change, NO_FILE, readPossibleSource, type SourceFile, writeAllOrNone } from "../apply/file.ts";

const JournalEntry = z.object({
  time: z.string(),
  instruction: z.string(),
  /** The text before the edit; null for a file that it made. */
  before: z.string().nullable(),
  /** Hash of the file's bytes after the edit; the edit can be undone while the file has it. */
  after: z.string(),
  /** See `SourceFile`. */
  newFolder: z.string().optional(),
  /** The edit that this is a part of, and the paths of all of its files. */
  whole: z.object({ id: z.string(), files: z.array(z.string()) }).optional(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

/** When and why an edit is made. */
type Made = Pick<JournalEntry, "time" | "instruction">;

const MAX_ENTRIES = 50;

/** Folder of the journals: `$XDG_STATE_HOME/robot-app-assistant`, by default below `~/.local/state`. */
export function journalFolder(env: Readonly<Record<string, string | undefined>>): string {
  return userFolder("state", "robot-app-assistant", env);
}

/**
 * Reads the edits applied to a file, oldest first. A journal that cannot be read counts as empty. An entry whose edit
 * never reached the file, because its write failed or was interrupted, is left out.
 */
export async function readJournal(folder: string, { path, hash }: SourceFile): Promise<JournalEntry[]> {
  const entries = await readEntries(folder, path);
  while (entries.length > 0 && isUnwritten(entries.at(-1) as JournalEntry, hash)) entries.pop();
  return entries;
}

const readEntries = async (folder: string, path: string) =>
  parseEntries(await readFile(pathOf(folder, path), "utf8").catch(() => "[]"));

const hashBefore = ({ before }: JournalEntry) => (before === null ? NO_FILE : hashText(before));

const isUnwritten = (entry: JournalEntry, hash: string) => entry.after !== hash && hashBefore(entry) === hash;

/**
 * Writes an edit of one or several files so that it can be undone: the journal entries first, then the files, each
 * atomically. When a journal or a file cannot be written, all files stay as they are.
 * @throws WorkbenchError `edit-refused` when a journal or a file cannot be written, or a file changed since it was read
 */
export async function writeEdit(
  folder: string,
  edits: readonly { source: SourceFile; result: string }[],
  made: Made,
): Promise<void> {
  const files = edits.map(({ source }) => source.path);
  const whole = files.length > 1 ? { whole: { id: randomUUID(), files } } : {};
  for (const { source, result } of edits) {
    const { hash, text, newFolder } = source;
    const before = hash === NO_FILE ? null : text;
    const entry: JournalEntry = { ...made, before, after: hashText(result), newFolder, ...whole };
    await writeEntries(folder, source.path, [...(await readJournal(folder, source)), entry]);
  }
  await writeAllOrNone(edits.map(({ source, result }) => ({ source, text: result })));
}

interface LastEdit {
  time: string;
  /** What to write to undo it; files that an interrupted edit did not reach are not here. */
  changes: Change[];
  /** The journals without it. */
  journals: { path: string; entries: JournalEntry[] }[];
}

/**
 * Finds the last edit of a file. An edit of several files that was interrupted is found from each of them.
 * @returns undefined when there is none
 * @throws WorkbenchError `edit-refused` when one of its files changed since: an undo would lose that change
 */
export async function findLastEdit(folder: string, path: string): Promise<LastEdit | undefined> {
  const entries = await readEntries(folder, path);
  for (const [index, entry] of [...entries.entries()].reverse()) {
    const edit: LastEdit = { time: entry.time, changes: [], journals: [] };
    const changed: string[] = [];
    for (const file of entry.whole?.files ?? [path]) {
      const source = await readPossibleSource(file);
      const its = file === path ? entries : await readEntries(folder, file);
      const at = file === path ? index : its.findIndex(({ whole }) => whole?.id === entry.whole?.id);
      const own = its[at];
      if (own === undefined || !(source.hash === own.after || isUnwritten(own, source.hash))) changed.push(file);
      else edit.journals.push({ path: file, entries: its.slice(0, at) });
      if (source.hash === own?.after) edit.changes.push(undoing(source, own));
    }
    if (changed.includes(path) || (changed.length > 0 && edit.changes.length > 0)) {
      const detail = `${changed[0]} has changed since the edit of ${entry.time}; an undo would lose that change.`;
      throw new WorkbenchError("edit-refused", detail);
    }
    if (edit.changes.length > 0) return edit;
  }
  return undefined;
}

const undoing = (source: SourceFile, { before, newFolder }: JournalEntry): Change => ({
  source: newFolder === undefined ? source : { ...source, newFolder },
  text: before,
});

/**
 * Undoes an edit in all of its files, or in none: the files first, then their journals.
 * @throws WorkbenchError `edit-refused` when a file changed since it was read, or cannot be written
 */
export async function undoEdit(folder: string, { changes, journals }: LastEdit): Promise<void> {
  await writeAllOrNone(changes);
  for (const { path, entries } of journals) await writeEntries(folder, path, entries);
}

function parseEntries(text: string): JournalEntry[] {
  try {
    return z.array(JournalEntry).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Replaces a file's journal, keeping the latest entries. */
async function writeEntries(folder: string, file: string, entries: readonly JournalEntry[]): Promise<void> {
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
