import { join, relative } from "node:path";
import type { Emitter } from "../../common/emitter.ts";
import { isInside } from "../../common/machine/is-inside.ts";
import { hashText } from "../../edit/apply/apply.ts";
import { NO_FILE, readPossibleSource } from "../../edit/apply/file.ts";
import { isExecutedByName } from "../../edit/session/answered-path.ts";
import { findLastEdit, type RecoveredEdit, readEdits, undoEdit, writeEdit } from "../../edit/session/journal.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { KeepBody, UndoableEdit, WorkshopFile, WrittenFile } from "../../robot/wire/workshop/workshop.ts";
import { placeIn } from "./folder-files.ts";

/** Where edits are written, and who hears of them before. */
interface EditPlace {
  /** Folder of the journals. */
  journal: string;
  folder: string;
  /** Real path of the folder. */
  root: string;
  now(): Date;
  writes: Emitter<readonly WrittenFile[]>;
  /** Gets what became of edits whose write was interrupted. */
  notify(recovered: RecoveredEdit): void;
}

/**
 * Writes files of an app so that `undoLast` and `edit --undo` can undo it, all or none. Files that have their text already
 * are left out.
 * @returns the time of the edit, which names it, and the names of the files; null when nothing was changed
 * @throws WorkbenchError `edit-refused` when a file changed since it was read, is named twice, or must not be written;
 *   `confirmation-required` for files that an install or a test executes
 */
export async function keepEdit(place: EditPlace, { files, instruction, confirmed }: KeepBody) {
  const { journal, folder, root, now, writes, notify } = place;
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
  await writeEdit(journal, edits, { time, instruction }, { notify });
  return { edit: time, written: edits.map(({ name }) => name) };
}

/**
 * The last edit of an app's files, whoever made it here or with `edit`; null when there is none, or its file has changed since.
 * @param journal folder of the journal @param root real path of the app's folder
 */
export function undoableEdit(journal: string, root: string, files: readonly WorkshopFile[]): UndoableEdit | null {
  const hashes = new Map(files.map(({ name, hash }) => [join(root, name), hash]));
  const editedLater = new Set<string>();
  for (const { time, instruction, files } of readEdits(journal).reverse()) {
    const isUnchanged = files.every(({ path, after }) => (hashes.get(path) ?? NO_FILE) === after);
    const isOfApp = files.some(({ path }) => isInside(root, path));
    if (isOfApp && isUnchanged && !files.some(({ path }) => editedLater.has(path)))
      return { time, instruction, files: files.map(({ path }) => relative(root, path)) };
    for (const { path } of files) editedLater.add(path);
  }
  return null;
}

/** Undoes an edit in all of its files. @throws WorkbenchError `edit-refused` when one changed since */
export async function undoLast(
  { journal, root, writes, notify }: EditPlace,
  { time, files: [name = ""] }: UndoableEdit,
): Promise<void> {
  const last = await findLastEdit(journal, join(root, name));
  if (last?.edit.time !== time)
    throw new WorkbenchError("edit-refused", `${name} has changed since the edit of ${time}.`);
  writes.emit(
    last.changes.map(({ source, text }) => ({
      name: relative(root, source.path),
      hash: text === null ? NO_FILE : hashText(text),
    })),
  );
  await undoEdit(journal, last, { notify });
}
