import { relative } from "node:path";
import { formatRecovered, type RecoveredEdit } from "../../../edit/session/journal.ts";
import type { Terminal } from "../../terminal.ts";

/** Tells the person at a terminal what became of edits whose write was interrupted. */
export const recoveredTo = ({ cwd, err }: Terminal) => ({
  notify: (recovered: RecoveredEdit): void => err(`${formatRecovered(recovered, (path) => relative(cwd, path))}\n`),
});
