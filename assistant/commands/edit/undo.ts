import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import type { Target } from "../../../edit/session/find-file.ts";
import { findLastEdit, journalFolder, undoEdit } from "../../../edit/session/journal.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import type { EditFlags } from "./flags.ts";
import { formatDiff } from "./format-result.ts";
import { recoveredTo } from "./report-recovered.ts";

/**
 * Undoes the last edit of a file, with all files that it changed; those that it made are deleted.
 * @throws WorkbenchError `edit-refused` when there is none, or one of its files changed since
 */
export async function runUndo({ file }: Target, flags: EditFlags, terminal: Terminal): Promise<void> {
  const name = relative(terminal.cwd, file);
  const folder = journalFolder(terminal.env);
  const last = await findLastEdit(folder, file);
  if (last === undefined) throw new WorkbenchError("edit-refused", `${name} has no edit to undo.`);
  if (!flags.dryRun) await undoEdit(folder, last, recoveredTo(terminal));
  const cwd = await realpath(terminal.cwd);
  const files = last.changes.map(({ source }) => relative(cwd, source.path));
  if (flags.json) terminal.out(`${JSON.stringify({ status: "undone", file: name, files, written: !flags.dryRun })}\n`);
  else {
    for (const [index, { source, text }] of last.changes.entries())
      terminal.out(formatDiff(files[index] ?? "", source.text, text ?? "", terminal.colour));
    const deleted = files.filter((_, index) => last.changes[index]?.text === null);
    if (flags.dryRun) return;
    if (files.length > 1)
      terminal.out(`The edit of ${last.edit.time} is undone in all of its files: ${files.join(", ")}.\n`);
    if (deleted.length > 0) terminal.out(`Deleted: ${deleted.join(", ")}.\n`);
  }
}
