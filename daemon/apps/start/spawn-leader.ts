import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Command } from "./command.ts";

export interface Leader {
  pid: number;
  stdout: Readable;
  stderr: Readable;
  /** Settles when the process itself has ended, whoever still holds its pipes. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts a process as the leader of a process group of its own. Node resets all signal dispositions in the child, so
 * SIGINT works even where the daemon was started with SIGINT ignored (a shell's `&`).
 * @throws the system's own error when there is no such program or no room for it
 */
export async function spawnLeader({ file, args, cwd, env }: Command): Promise<Leader> {
  await mkdir(cwd, { recursive: true });
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const exited = exitOf(child);
  await once(child, "spawn");
  return { pid: child.pid as number, stdout: child.stdout, stderr: child.stderr, exited };
}

function exitOf(child: ChildProcessByStdio<null, Readable, Readable>): Leader["exited"] {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}
