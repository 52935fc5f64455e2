import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** A program that tries to acquire a lock, prints the result, and keeps the lock until it is killed. */
const HOLDER = `
import { acquireLock, isAcquired } from "./common/files/process-lock.ts";
const result = await acquireLock(process.argv.at(-1), "another program");
console.log(isAcquired(result) ? "acquired" : "held by " + result.pid);
setInterval(() => {}, 1000);
`;

/**
 * Starts another process that tries to acquire a lock, and runs until it is killed or the test is over.
 * @param wrapper a program that runs it, with its arguments
 * @returns its pid, what it printed (`acquired` or `held by PID`), and a function that kills it
 */
export async function startLockHolder(folder: string, wrapper: readonly string[] = []) {
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", HOLDER, folder];
  const [program = "", ...args] = [...wrapper, ...node];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  return { pid: child.pid as number, line, kill };
}
