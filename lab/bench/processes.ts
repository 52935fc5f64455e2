// Memory of processes: proportional set size from /proc, which counts shared pages once.
import { readFileSync } from "node:fs";
import { built } from "../../scripts/setup/built.mjs";

/** @returns the process and its descendants */
export async function processTree(pid: number): Promise<number[]> {
  const { ProcessTable } = await built("common/machine/process-table.js");
  const entries = ProcessTable.readSync().treeOf(pid) as { pid: number }[];
  return entries.map((entry) => entry.pid);
}

/** @returns megabytes */
export function proportionalMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** @returns the command line, shortened */
export async function shortCommand(pid: number): Promise<string> {
  const { commandOf } = await built("common/machine/process-table.js");
  return commandOf(pid).join(" ").replace(/\S*\//g, "").slice(0, 60);
}
