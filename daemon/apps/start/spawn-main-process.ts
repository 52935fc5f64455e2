import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { isDiskFull } from "../../../common/files/disk-full.ts";
import { ensureFolder } from "../../../common/files/make-folder.ts";
import { type Machine, thisMachine } from "../../../common/machine/machine.ts";
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
const spawnMainProcess = async (command: Command): Promise<MainProcess> => (await spawnDetached(command)).main;

/** @param pipes further pipes, from number 3 on */
async function spawnDetached({ file, args, cwd, env }: Command, pipes: readonly "pipe"[] = []) {
  const options = { cwd: ensureWorkingFolder(cwd), env, detached: true };
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe", ...pipes] });
  const exited = exitOf(child);
  await once(child, "spawn");
  const { pid, stdout, stderr } = child;
  return { child, main: { pid: pid as number, stdout: stdout as Readable, stderr: stderr as Readable, exited } };
}

/** A machine that runs apps. */
export interface AppMachine extends Machine {
  /** @throws Error of the system when there is no such program or no room for another process */
  spawn(command: Command): Promise<MainProcess>;
}

export const thisAppMachine: AppMachine = { ...thisMachine, spawn: spawnMainProcess };

/** A process that waits for a byte on a pipe before it does its work. */
export interface HeldProcess extends MainProcess {
  /** Lets it begin. */
  start(): void;
  /** Ends it instead. */
  abandon(): void;
}

/** The number of the pipe in the process. */
const PIPE = 3;

/**
 * Starts a process like `spawnMainProcess`, with a pipe on which it waits.
 * @param variables what to add to its environment, given the number of the pipe
 * @throws Error of the system when there is no such program or no room for another process
 */
export async function spawnHeldProcess(
  command: Command,
  variables: (pipe: number) => Record<string, string>,
): Promise<HeldProcess> {
  const env = { ...command.env, ...variables(PIPE) };
  const { child, main } = await spawnDetached({ ...command, env }, ["pipe"]);
  const pipe = child.stdio[PIPE] as Writable;
  // The process may end by itself; `exited` tells.
  pipe.on("error", () => undefined);
  return {
    ...main,
    start: () => pipe.end("\n"),
    abandon: () => {
      pipe.end();
      child.kill("SIGKILL");
    },
  };
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

function exitOf(child: ChildProcess): MainProcess["exited"] {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}
