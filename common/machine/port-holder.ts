import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { commandOf } from "./process-table.ts";

/** The state LISTEN in /proc/net/tcp (proc(5)). */
const LISTEN = "0A";
/** Characters of a command line that are shown. */
const MAX_COMMAND = 80;
const LSOF_MS = 5000;

/**
 * Names the process that listens on a TCP port of this machine, for people: `process 12 (python -m http.server)`; null when none
 * does, and for one that this user may not look at.
 */
export async function portHolder(port: number): Promise<string | null> {
  if (!existsSync("/proc/net/tcp")) return holderByLsof(port);
  const sockets = new Set((await listeningSockets(port)).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return null;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => []))
      if (sockets.has(await readlink(`${folder}/${name}`).catch(() => "")))
        return named(pid, commandOf(Number(pid)).join(" "));
  }
  return null;
}

const named = (pid: string, command: string): string =>
  `process ${pid} (${command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)}…` : command})`;

/** The inodes of the sockets that listen on a port. */
async function listeningSockets(port: number): Promise<string[]> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  return tables
    .flatMap((table) => table.split("\n"))
    .flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      return state === LISTEN && Number.parseInt(local.split(":")[1] ?? "", 16) === port ? [inode] : [];
    });
}

/** Where there is no /proc: macOS has lsof. */
async function holderByLsof(port: number): Promise<string | null> {
  const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"];
  const { stdout } = await promisify(execFile)("lsof", args, { timeout: LSOF_MS }).catch(() => ({ stdout: "" }));
  const [, pid, command = ""] = /^p(\d+)\nc(.*)$/m.exec(stdout) ?? [];
  return pid === undefined ? null : named(pid, command);
}
