import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { z } from "zod";

export interface ProcessEntry {
  pid: number;
  /** Process group. */
  group: number;
  /** Tells this process from an earlier or later one with the same pid. */
  started: string;
}

/** All processes of this machine that have not ended; those that only wait to be reaped have. */
export function processTable(): Promise<ProcessEntry[]> {
  return hasProc() ? fromProc() : fromPs();
}

/** Names one process for good: a pid alone may be given to another one later. */
export const Identity = z.object({ pid: z.int().positive(), started: z.string() });
export type Identity = z.infer<typeof Identity>;

/** The identity of a process; null when it has ended. */
export async function identityOf(pid: number): Promise<Identity | null> {
  const entries = hasProc() ? await readStats([String(pid)]) : await fromPs();
  const entry = entries.find((candidate) => candidate.pid === pid);
  return entry === undefined ? null : { pid, started: entry.started };
}

export async function isAlive({ pid, started }: Identity): Promise<boolean> {
  return (await identityOf(pid))?.started === started;
}

/** The value of a variable in the environment that a process was started with; undefined where it cannot be seen. */
export async function startedWith(pid: number, variable: string): Promise<string | undefined> {
  const environ = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  const entry = environ.split("\0").find((line) => line.startsWith(`${variable}=`));
  return entry?.slice(variable.length + 1);
}

function hasProc(): boolean {
  return existsSync("/proc/self/stat");
}

async function fromProc(): Promise<ProcessEntry[]> {
  return readStats((await readdir("/proc")).filter((name) => /^\d+$/.test(name)));
}

async function readStats(pids: readonly string[]): Promise<ProcessEntry[]> {
  const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
  const entries = await Promise.all(
    pids.map(async (pid) => parseStat(await readFile(`/proc/${pid}/stat`, "latin1").catch(() => ""), boot)),
  );
  return entries.flat();
}

/** proc(5): pid (comm) state ppid pgrp ... with the start time, in ticks since the boot, as field 22. */
export function parseStat(stat: string, boot: string): ProcessEntry[] {
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, , group] = fields;
  if (group === undefined || state === "Z" || state === "X") return [];
  return [{ pid: Number.parseInt(stat, 10), group: Number(group), started: `${boot}:${fields[19]}` }];
}

async function fromPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,pgid=,stat=,lstart="], { timeout: 5000 });
  return stdout.split("\n").flatMap(parsePsLine);
}

/** One line of `ps -A -o pid=,pgid=,stat=,lstart=`. */
export function parsePsLine(line: string): ProcessEntry[] {
  const [, pid, group, state, started = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
  if (state === undefined || state.startsWith("Z")) return [];
  return [{ pid: Number(pid), group: Number(group), started }];
}
