import { join } from "node:path";
import type { Emitter } from "../../common/emitter.ts";
import { hashText } from "../../edit/apply/apply.ts";
import { readPossibleSource } from "../../edit/apply/file.ts";
import { writeEdit } from "../../edit/session/journal.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { KeepBody, WrittenFile } from "../../robot/wire/workshop/workshop.ts";
import { isExecutedByName, placeIn } from "./folder-files.ts";

interface KeepParts {
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
export async function keepEdit(parts: KeepParts, { files, instruction, confirmed }: KeepBody): Promise<string | null> {
  const { journal, folder, root, now, writes } = parts;
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
