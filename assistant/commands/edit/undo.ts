import { relative } from "node:path";
import { readSource } from "../../../edit/apply/file.ts";
import type { Target } from "../../../edit/session/find-file.ts";
import { journalFolder, readJournal, undoEdit } from "../../../edit/session/journal.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import type { EditFlags } from "./flags.ts";
import { formatDiff } from "./format-result.ts";

/**
 * Undoes the last edit of a file.
 * @throws WorkbenchError `edit-refused` when there is none, or the file changed since
 */
export async function runUndo({ file }: Target, flags: EditFlags, terminal: Terminal): Promise<void> {
  const name = relative(terminal.cwd, file);
  const folder = journalFolder(terminal.env);
  const source = await readSource(file);
  const entries = await readJournal(folder, source);
  const last = entries.at(-1);
  if (last === undefined) throw new WorkbenchError("edit-refused", `${name} has no edit to undo.`);
  if (source.hash !== last.after) {
    const detail = `${name} has changed since the edit of ${last.time}; an undo would lose that change.`;
    throw new WorkbenchError("edit-refused", detail);
  }
  if (!flags.dryRun) await undoEdit(folder, source, entries);
  if (flags.json) terminal.out(`${JSON.stringify({ status: "undone", file: name, written: !flags.dryRun })}\n`);
  else terminal.out(formatDiff(name, source.text, last.before, terminal.colour));
}
