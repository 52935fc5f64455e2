import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { memoryUsage } from "node:process";
import { promisify } from "node:util";
import { mapBounded } from "../map-bounded.ts";
import { ifAbsent } from "./absent.ts";
import { type ProcessEntry, pageBytesOf, parsePsLine, parseStat } from "./process-entry.ts";

/** Identifies one process uniquely, although the system may give its pid to another one later. */
export type ProcessIdentity = Pick<ProcessEntry, "pid" | "started">;

/** With a fixed zone and language, since processes of other settings compare the start times. */
const PS: [string, string[]] = [
  "env",
  ["TZ=UTC", "LC_ALL=C", "ps", "-A", "-o", "pid=,ppid=,pgid=,stat=,time=,rss=,lstart="],
];
/** Files that are read at once: each takes a descriptor. */
export const READ_AT_ONCE = 16;
const PS_LIMITS = { timeout: 5000, encoding: "utf8" } as const;
/** The processes of this machine at one moment, from /proc or else from `ps`; those that wait to be reaped are left out. */
export class ProcessTable {
  readonly entries: readonly ProcessEntry[];

  constructor(entries: readonly ProcessEntry[]) {
    this.entries = entries;
  }

  /** @throws Error when there is neither /proc nor `ps` */
  static async read(): Promise<ProcessTable> {
    return new ProcessTable(hasProc() ? await readStats(pidsIn(await readdir("/proc"))) : await readPs());
  }

  /**
   * Blocks for some milliseconds, so it is for tests and test harnesses.
   * @param pids the processes to read, which costs less than all of them
   * @throws Error when there is neither /proc nor `ps`
   */
  static readSync(pids?: readonly number[]): ProcessTable {
    if (!hasProc())
      return new ProcessTable(
        execFileSync(...PS, PS_LIMITS)
          .split("\n")
          .flatMap(parsePsLine),
      );
    const boot = textIfThere("/proc/sys/kernel/random/boot_id").trim();
    const wanted = pids ?? pidsIn(readdirSync("/proc"));
    return new ProcessTable(wanted.flatMap((pid) => parseStat(textIfThere(`/proc/${pid}/stat`), boot, pageBytes())));
  }

  get(pid: number): ProcessEntry | undefined {
    return this.entries.find((entry) => entry.pid === pid);
  }

  has({ pid, started }: ProcessIdentity): boolean {
    return this.get(pid)?.started === started;
  }

  /** Children that live while their parent does. */
  childrenOf(parent: number): ProcessEntry[] {
    return this.entries.filter((entry) => entry.parent === parent);
  }

  groupMembers(group: number): ProcessEntry[] {
    return this.entries.filter((entry) => entry.group === group);
  }

  /** A process (when it lives) and all that descend from it through living parents. */
  treeOf(pid: number): ProcessEntry[] {
    const root = this.get(pid);
    const tree = root === undefined ? this.childrenOf(pid) : [root];
    const known = new Set(tree);
    // The list grows while it is walked. The table is not read in one moment: with a process id that is used again meanwhile,
    // its entries may form a circle.
    for (const entry of tree)
      for (const child of this.childrenOf(entry.pid)) {
        if (known.has(child)) continue;
        known.add(child);
        tree.push(child);
      }
    return tree;
  }
}

/** The identity of a living process; null when it has ended. @throws Error when the process table cannot be read */
export async function identityOf(pid: number): Promise<ProcessIdentity | null> {
  const entries = hasProc() ? await readStats([String(pid)]) : await readPs();
  const entry = entries.find((candidate) => candidate.pid === pid);
  return entry === undefined ? null : { pid, started: entry.started };
}

/**
 * A variable of the environment that a process was started with; undefined when it has ended, for a process of another user, and
 * where there are none to see (not on Linux).
 * @throws Error of the system when it cannot be looked
 */
export async function environmentVariable(pid: number, name: string): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(orIfForeign(""));
  const line = environment.split("\0").find((entry) => entry.startsWith(`${name}=`));
  return line?.slice(name.length + 1);
}

/** Program and arguments of a process, for people; empty when they cannot be seen. */
export const commandOf = (pid: number): string[] => textOf(`/proc/${pid}/cmdline`).split("\0").slice(0, -1);

/** Linux shows the environment of a process to its own user and to root. */
function orIfForeign<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => (error.code === "EACCES" || error.code === "EPERM" ? value : ifAbsent(value)(error));
}

let knownPageBytes: number | null = null;

/** The kernel's size of a page of memory: this process's resident memory in bytes, divided by the same in pages. */
function pageBytes(): number {
  knownPageBytes ??= pageBytesOf(memoryUsage.rss(), textOf("/proc/self/statm"));
  return knownPageBytes;
}

const hasProc = (): boolean => existsSync("/proc/self/stat");
const pidsIn = (names: readonly string[]): string[] => names.filter((name) => /^\d+$/.test(name));

/** The text of a file; empty when it cannot be read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

async function readStats(pids: readonly string[]): Promise<ProcessEntry[]> {
  const boot = (await readIfThere("/proc/sys/kernel/random/boot_id")).trim();
  const entries = await mapBounded(pids, READ_AT_ONCE, async (pid) =>
    parseStat(await readIfThere(`/proc/${pid}/stat`), boot, pageBytes()),
  );
  return entries.flat();
}

/** The text of a file; empty when it does not exist, for example because its process has just ended. */
const readIfThere = (file: string): Promise<string> => readFile(file, "latin1").catch(ifAbsent(""));

/** Like `readIfThere`, but blocks. As UTF-8, which Node reads in half the time; names of processes may be garbled by it. */
function textIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    return ifAbsent("")(error);
  }
}

async function readPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)(...PS, PS_LIMITS);
  return stdout.split("\n").flatMap(parsePsLine);
}
