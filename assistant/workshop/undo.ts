import { join, relative } from "node:path";
import type { Emitter } from "../../common/emitter.ts";
import { hashText } from "../../edit/apply/apply.ts";
import { NO_FILE } from "../../edit/apply/file.ts";
import { findLastEdit, readJournal, undoEdit } from "../../edit/session/journal.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { UndoableEdit, WorkshopFile, WrittenFile } from "../../robot/wire/workshop/workshop.ts";

/**
 * The last edit of an app's files, whoever made it here or with `edit`; null when there is none, or its file has changed since.
 * @param journal folder of the journals
 */
export async function undoableEdit(
  journal: string,
  folder: string,
  files: readonly WorkshopFile[],
): Promise<UndoableEdit | null> {
  let last: UndoableEdit | null = null;
  for (const { name, hash } of files) {
    const path = join(folder, name);
    const entry = (await readJournal(journal, { path, hash, text: "" })).at(-1);
    if (entry === undefined || entry.after !== hash || (last !== null && entry.time <= last.time)) continue;
    const names = (entry.whole?.files ?? [path]).map((file) => relative(folder, file));
    last = { time: entry.time, instruction: entry.instruction, files: names };
  }
  return last;
}

/** Undoes an edit in all of its files. @throws WorkbenchError `edit-refused` when one changed since */
export async function undoLast(
  { journal, folder, writes }: { journal: string; folder: string; writes: Emitter<readonly WrittenFile[]> },
  { time, files: [name = ""] }: UndoableEdit,
): Promise<void> {
  const edit = await findLastEdit(journal, join(folder, name));
  if (edit?.time !== time) throw new WorkbenchError("edit-refused", `${name} has changed since the edit of ${time}.`);
  writes.emit(
    edit.changes.map(({ source, text }) => ({
      name: relative(folder, source.path),
      hash: text === null ? NO_FILE : hashText(text),
    })),
  );
  await undoEdit(journal, edit);
}
