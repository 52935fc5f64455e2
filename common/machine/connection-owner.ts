import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { ifAbsent } from "./absent.ts";

const LSOF_LIMITS = { timeout: 5000, encoding: "utf8" } as const;

/**
 * Which of some processes have a TCP connection open, from /proc or else from `lsof`.
 * @param port of their end of the connection, on this machine
 * @param pids the processes to look at, of this user
 * @throws Error of the system when it cannot be seen
 */
export async function ownersOfConnection(port: number, pids: readonly number[]): Promise<number[]> {
  if (!existsSync("/proc/self/net/tcp")) return ownersByLsof(port, pids);
  const sockets = await socketsAt(port);
  const owns = await Promise.all(pids.map((pid) => hasSocket(pid, sockets)));
  return pids.filter((_, at) => owns[at]);
}

/** The sockets with a local port, as /proc/PID/fd links to them: `socket:[INODE]`. */
async function socketsAt(port: number): Promise<ReadonlySet<string>> {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, "0");
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/self/net/${name}`, "latin1").catch(ifAbsent(""))),
  );
  const rows = tables.flatMap((text) => text.split("\n")).map((line) => line.trim().split(/\s+/));
  // Columns of proc_net_tcp(5): 1 local address and port, 9 inode.
  const found = rows.filter(([, local = ""]) => local.endsWith(`:${hexadecimal}`));
  return new Set(found.map((row) => `socket:[${row[9]}]`));
}

async function hasSocket(pid: number, sockets: ReadonlySet<string>): Promise<boolean> {
  if (sockets.size === 0) return false;
  const folder = `/proc/${pid}/fd`;
  for (const name of await readdir(folder).catch(ifAbsent<string[]>([])))
    if (sockets.has(await readlink(`${folder}/${name}`).catch(ifAbsent("")))) return true;
  return false;
}

async function ownersByLsof(port: number, pids: readonly number[]): Promise<number[]> {
  const args = ["-nP", "-a", `-iTCP:${port}`, "-p", pids.join(","), "-Fp"];
  // It exits with 1, and prints nothing on standard error, when it finds none.
  const { stdout } = await promisify(execFile)("lsof", args, LSOF_LIMITS).catch((error) => {
    if (error.code === 1 && error.stderr === "") return { stdout: "" };
    throw error;
  });
  const found = new Set(stdout.split("\n").flatMap((line) => (line.startsWith("p") ? [Number(line.slice(1))] : [])));
  return pids.filter((pid) => found.has(pid));
}
