import { existsSync, readdirSync, readFileSync } from "node:fs";
import { kill } from "node:process";
import { type Clock, sleep } from "../time/clock.ts";
import { ifUnusable, isAbsent } from "./absent.ts";
import { commandOf } from "./process-table.ts";

/** Looks at the processes in one go, and pauses between, in which the program does its other work. */
const [LOOKS, PAUSES, PAUSE_MS] = [20, 25, 10];
/** After so many looks without a new process that has ended or belongs to the chain, there is none. */
const QUIET_LOOKS = 3;

/**
 * Kills a chain of processes, each of which starts its successor and exits at once, by a variable of their environment. They
 * are gone before a process table has been read, so this looks for new processes without a pause and kills each as it is
 * found, which hits one of the chain before it has a successor: mostly at the first or second try. Gives up after 500 looks.
 * Does nothing where environments cannot be seen (not on Linux).
 * @returns the processes that were killed
 */
export async function killSuccessors(
  [name, value]: readonly [name: string, value: string],
  clock: Clock,
): Promise<{ pid: number; command: string }[]> {
  if (!existsSync("/proc/self/environ")) return [];
  const chain = new ProcessChain(`${name}=${value}`);
  let quietLooks = 0;
  for (let pause = 0; pause < PAUSES; pause += 1) {
    for (let i = 0; i < LOOKS; i += 1) {
      quietLooks = chain.killNewest() ? 0 : quietLooks + 1;
      if (quietLooks === QUIET_LOOKS) return chain.killed;
    }
    await sleep(clock, PAUSE_MS);
  }
  return chain.killed;
}

class ProcessChain {
  readonly killed: { pid: number; command: string }[] = [];
  readonly #entry: string;
  readonly #known = new Set<string>();

  /** @param entry of the environment of all its processes */
  constructor(entry: string) {
    this.#entry = entry;
  }

  /** @returns whether a new process belongs to the chain, or has ended before that was known */
  killNewest(): boolean {
    let isFound = false;
    // The newest last in the folder: the others have been there for longer.
    for (const name of readdirSync("/proc").reverse()) {
      if (!/^\d+$/.test(name) || this.#known.has(name)) continue;
      this.#known.add(name);
      const environment = environmentOf(name);
      if (environment?.includes(this.#entry)) this.#kill(Number(name));
      else if (environment !== null) continue;
      isFound = true;
    }
    return isFound;
  }

  #kill(pid: number): void {
    const command = commandOf(pid).join(" ");
    try {
      kill(pid, "SIGKILL");
      this.killed.push({ pid, command });
    } catch {
      // It has ended.
    }
  }
}

/** The entries of a process's environment, none for another user's; null when it has ended. @throws Error when the system is exhausted */
function environmentOf(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch (error) {
    return isAbsent(error) ? null : ifUnusable([])(error);
  }
}
