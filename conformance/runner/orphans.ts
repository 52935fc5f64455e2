import type { ProcessEntry } from "../../common/machine/process-entry.ts";
import { commandOf, ProcessTable } from "../../common/machine/process-table.ts";

/** A process that the app has left behind. */
export interface Orphan {
  pid: number;
  /** Program and arguments, separated by spaces. */
  command: string;
}

/**
 * The descendants of this process beneath others than the known children. A lane is the subreaper of everything that it
 * starts (prctl(2)), so a process that leaves its group, its session and its parent still becomes a child of the lane.
 * @param known process ids of the children that the lane started itself
 */
export const findOrphans = (known: readonly number[]): Orphan[] =>
  orphansIn(ProcessTable.readSync(), known).map(({ pid }) => ({ pid, command: commandOf(pid).join(" ") }));

/** The same, as entries of a process table. */
export const orphansIn = (table: ProcessTable, known: readonly number[]): ProcessEntry[] =>
  table
    .childrenOf(process.pid)
    .filter(({ pid }) => !known.includes(pid))
    .flatMap(({ pid }) => table.treeOf(pid));
