import { readdirSync, readFileSync } from "node:fs";

/** Ids of the living processes (zombies left out) of a process group, from /proc. */
export function groupMembers(group: number): number[] {
  return processes()
    .filter((entry) => entry.group === group)
    .map((entry) => entry.pid);
}

/** Ids of the living children of a process. */
export function childrenOf(parent: number): number[] {
  return processes()
    .filter((entry) => entry.parent === parent)
    .map((entry) => entry.pid);
}

/** Ids of the living processes that run `python -u -m <app_name>.main` with a Python of this folder. */
export const appProcesses = (app: string, folder: string): number[] =>
  processes()
    .map(({ pid }) => ({ pid, command: commandOf(pid) }))
    .filter(({ command }) => command[0]?.startsWith(folder) && command.join(" ").endsWith(` -u -m ${app}.main`))
    .map(({ pid }) => pid);

/** Program and arguments of a process; empty when it has gone. */
export function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

/** True while the process lives (a zombie does not). */
export const isAlive = (pid: number): boolean => processes().some((entry) => entry.pid === pid);

/** A process with all that descend from it while their parents live, and what they take from the machine. */
export interface Family {
  /** The process itself and its descendants. */
  pids: readonly number[];
  /** Seconds of processor time so far. */
  cpu: number;
  /** Bytes of resident memory. */
  memory: number;
}

/** Clock ticks a second, and bytes a page, on all Linux machines that Node runs on. */
const TICKS = 100;
const PAGE = 4096;

export function familyOf(pid: number): Family {
  const all = processes();
  const pids = new Set([pid]);
  for (let before = 0; before !== pids.size; ) {
    before = pids.size;
    for (const entry of all) if (pids.has(entry.parent)) pids.add(entry.pid);
  }
  const members = all.filter((entry) => pids.has(entry.pid));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    pids: members.map((entry) => entry.pid),
    cpu: sum(members.map(({ ticks }) => ticks / TICKS)),
    memory: sum(members.map(({ pages }) => pages * PAGE)),
  };
}

/** Tells this process from a later one with the same id: the start time, proc(5) field 22. */
export const startOf = (pid: number): string | null => processes().find((entry) => entry.pid === pid)?.started ?? null;

interface Entry {
  pid: number;
  parent: number;
  group: number;
  /** Clock ticks of processor time. */
  ticks: number;
  /** Pages of resident memory. */
  pages: number;
  started: string;
}

/** Fields of /proc/PID/stat, counted from 1: 3 state, 4 parent, 5 group, 14 and 15 ticks, 22 start, 24 pages; proc(5). */
function processes(): Entry[] {
  const found: Entry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const field = (number: number) => Number(fields[number - 3]);
      if (fields[0] === "Z") continue;
      const [pid, ticks] = [Number(name), field(14) + field(15)];
      found.push({ pid, parent: field(4), group: field(5), ticks, pages: field(24), started: fields[19] ?? "" });
    } catch {
      // The process ended while we looked.
    }
  }
  return found;
}
