import { join, relative } from "node:path";
import type { Emitter } from "../../common/emitter.ts";
import { hashText } from "../../edit/apply/apply.ts";
import { NO_FILE, readPossibleSource } from "../../edit/apply/file.ts";
import { findLastEdit, readJournal, undoEdit, writeEdit } from "../../edit/session/journal.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { KeepBody, UndoableEdit, WorkshopFile, WrittenFile } from "../../robot/wire/workshop/workshop.ts";
import { isExecutedByName, placeIn } from "./folder-files.ts";

/** Where edits are written, and who hears of them before. */
interface EditPlace {
  /** Folder of the journals. */
  journal: string;
  folder: string;
  /** Real path of the folder. */
  root: string;
  now(): Date;
  writes: Emitter<readonly WrittenFile[]>;
}

/**
 * Writes files of an app so that `undoLast` and `edit --undo` can undo it, all or none. Files that have their text already
 * are left out.
 * @returns the time of the edit, which names it; null when nothing was changed
 * @throws WorkbenchError `edit-refused` when a file changed since it was read, is named twice, or must not be written;
 *   `confirmation-required` for files that an install or a test executes
 */
export async function keepEdit(place: EditPlace, { files, instruction, confirmed }: KeepBody): Promise<string | null> {
  const { journal, folder, root, now, writes } = place;
  const twice = files.find(({ name }, index) => files.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new WorkbenchError("edit-refused", `${twice.name} is named twice.`);
  const edits = [];
  for (const { name, text, hash } of files) {
    await placeIn(root, name);
    const source = await readPossibleSource(join(folder, name));
    // An answer may have been lost after the write: what has its text already is kept.
    if (source.hash !== hash && source.text !== text)
      throw new WorkbenchError(
        "edit-refused",
        `${name} has changed since it was read here. Nothing was written; load it again.`,
      );
    if (source.text !== text || hash === "") edits.push({ name, source, result: text });
  }
  const executed = edits.map(({ name }) => name).filter((name) => isExecutedByName(name) && !confirmed.includes(name));
  if (executed.length > 0) {
    const what = `${executed.join(", ")}: an install, a test or the start of Python executes what is in it.`;
    throw new WorkbenchError("confirmation-required", `${what} Look at the change, then confirm it.`);
  }
  if (edits.length === 0) return null;
  const time = now().toISOString();
  writes.emit(edits.map(({ name, result }) => ({ name, hash: hashText(result) })));
  await writeEdit(journal, edits, { time, instruction });
  return time;
}

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
  { journal, folder, writes }: EditPlace,
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
