import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";
import { isDiskFull } from "../../files/disk-full.ts";
import { ensureFolder } from "../../files/make-folder.ts";
import type { Command } from "./app-command.ts";

/** The first process of an app or of a tool; its pid is also the number of its process group. */
export interface MainProcess {
  pid: number;
  stdout: Readable;
  stderr: Readable;
  /** Settles when the process itself has exited, even if other processes still hold its pipes. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts a process in a process group of its own. Node resets all signal dispositions in the child, so SIGINT works
 * even where the daemon was started with SIGINT ignored (a shell's `&`).
 * @throws Error of the system when there is no such program or no room for another process
 */
export async function spawnMainProcess({ file, args, cwd, env }: Command): Promise<MainProcess> {
  const folder = ensureWorkingFolder(cwd);
  const child = spawn(file, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const exited = exitOf(child);
  await once(child, "spawn");
  return { pid: child.pid as number, stdout: child.stdout, stderr: child.stderr, exited };
}

/** On a full disk the process runs in the root folder, which has no modules that Python could import by mistake. */
function ensureWorkingFolder(folder: string): string {
  try {
    ensureFolder(folder);
    return folder;
  } catch (error) {
    if (isDiskFull(error)) return path.parse(folder).root;
    throw error;
  }
}

function exitOf(child: ChildProcessByStdio<null, Readable, Readable>): MainProcess["exited"] {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}
