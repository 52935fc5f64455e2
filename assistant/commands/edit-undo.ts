import { relative } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { readSource, writeSource } from "../edit/apply/file.ts";
import type { Target } from "../edit/session/find-file.ts";
import { journalFolder, readJournal, writeJournal } from "../edit/session/journal.ts";
import type { Terminal } from "../terminal.ts";
import type { EditFlags } from "./edit-flags.ts";
import { showDiff } from "./edit-show.ts";

/**
 * Takes back the last edit of a file.
 * @throws WorkbenchError `edit-refused` when there is none, or the file has changed since
 */
export async function undoEdit({ file }: Target, flags: EditFlags, terminal: Terminal): Promise<void> {
  const name = relative(terminal.cwd, file);
  const folder = journalFolder(terminal.env);
  const entries = await readJournal(folder, file);
  const last = entries.at(-1);
  if (last === undefined) throw new WorkbenchError("edit-refused", `${name} has no edit to take back.`);
  const source = await readSource(file);
  if (source.hash !== last.after) {
    const detail = `${name} has changed since the edit of ${last.time}; taking it back would lose that change.`;
    throw new WorkbenchError("edit-refused", detail);
  }
  if (!flags.dryRun) {
    await writeSource(source, last.before);
    await writeJournal(folder, file, entries.slice(0, -1));
  }
  if (flags.json) terminal.out(`${JSON.stringify({ status: "undone", file: name, written: !flags.dryRun })}\n`);
  else terminal.out(showDiff(name, source.text, last.before, terminal.colour));
}
