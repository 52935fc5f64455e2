// Memory of processes: proportional set size from /proc, which counts shared pages once.
import { readFileSync } from "node:fs";
import { built } from "../setup/built.mjs";

/** @param {number} pid @returns {Promise<number[]>} the process and its descendants */
export async function processTree(pid) {
  const { ProcessTable } = await built("common/machine/process-table.js");
  const entries = /** @type {{ pid: number }[]} */ (ProcessTable.readSync().treeOf(pid));
  return entries.map((entry) => entry.pid);
}

/** @param {number} pid @returns {number} megabytes */
export function proportionalMegabytes(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** @param {number} pid @returns {Promise<string>} the command line, shortened */
export async function shortCommand(pid) {
  const { commandOf } = await built("common/machine/process-table.js");
  return commandOf(pid).join(" ").replace(/\S*\//g, "").slice(0, 60);
}
