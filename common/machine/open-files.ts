import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isAbsent } from "./absent.ts";

/** How many files and connections this process may have open; infinite without a limit. Blocks for some milliseconds. */
export function openFilesLimit(): number {
  const text = limitText();
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}

function limitText(): string {
  try {
    return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? "";
  } catch (error) {
    if (!isAbsent(error)) throw error;
    // A shell has the limits of the process that starts it.
    return execFileSync("/bin/sh", ["-c", "ulimit -n"], { encoding: "utf8", timeout: 5000 }).trim();
  }
}
