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

/** Ids of the living processes that run `python -u -m <app_name>.main`. */
export const appProcesses = (app: string): number[] =>
  processes()
    .filter(({ pid }) => commandOf(pid).join(" ").endsWith(`-u -m ${app}.main`))
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

/** Fields 3 to 5 of /proc/PID/stat: state, parent, process group; proc(5). */
function processes(): { pid: number; parent: number; group: number }[] {
  const found = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z") found.push({ pid: Number(name), parent: Number(parent), group: Number(group) });
    } catch {
      // The process ended while we looked.
    }
  }
  return found;
}
