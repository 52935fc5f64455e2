// Memory of a process and its descendants from /proc: proportional set size, which counts shared pages once.
import { readdirSync, readFileSync } from "node:fs";

/** @param {number} pid @returns {number[]} the process and all below it */
export function family(pid) {
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const members = [pid];
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child);
  return members;
}

/** @param {number} pid @returns {number} megabytes */
export function proportionalMegabytes(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** @param {number} pid @returns {string} the command, shortened for people */
export const commandOf = (pid) =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").replace(/\S*\//g, "").slice(0, 60);
