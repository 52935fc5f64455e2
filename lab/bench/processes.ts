// What processes use: memory, processor time and descriptors; on Linux.
import { readdirSync, readFileSync } from "node:fs";
import type { ProcessEntry } from "../../common/machine/process-entry.ts";
import { commandOf, ProcessTable } from "../../common/machine/process-table.ts";

/** The process and its descendants. */
export const processTree = (pid: number): ProcessEntry[] => ProcessTable.readSync().treeOf(pid);

/** The process of a daemon that drives the robot. @throws Error when there is none */
export function robotProcessOf(daemon: number): number {
  const found = processTree(daemon).find(({ pid }) => commandOf(pid).join(" ").includes("robot-process/main.js"));
  if (found === undefined) throw new Error("the daemon has no robot process");
  return found.pid;
}

/** Proportional set size, which counts shared pages once. @returns megabytes */
export function proportionalMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** Resident memory. @returns megabytes */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Open descriptors. */
export const countDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Processor time so far. @returns seconds */
export const processorSeconds = (pid: number): number =>
  ProcessTable.readSync([pid]).get(pid)?.cpuSeconds ?? Number.NaN;
