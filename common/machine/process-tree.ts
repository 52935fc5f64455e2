import { kill, pid as ownPid } from "node:process";
import { type Clock, sleep } from "../time/clock.ts";
import type { ProcessEntry } from "./process-entry.ts";
import { commandOf, environmentVariable, ProcessTable } from "./process-table.ts";

/** What identifies processes that belong together. One of these is enough for a process, and this process never belongs. */
export interface ProcessTree {
  /** A process, and all that descend from it. */
  root?: number;
  /** A process group; null when it is unknown. */
  group?: number | null;
  /** A variable in their environment, by which Linux also shows those that left their parents and their group (`setsid`). */
  environment?: readonly [name: string, value: string];
}

/** A signal (null for none) to all processes of a tree, and the most milliseconds until the next step. */
interface EndStep {
  signal: NodeJS.Signals | null;
  waitMs: number;
}

const POLL_MS = 20;

/**
 * For processes that outlive the main one: some time to end by themselves (as Python's helper processes do, late on a busy
 * machine), SIGTERM, SIGKILL. The last time is how long a process may take to die of SIGKILL.
 */
const END_STEPS: readonly EndStep[] = [
  { signal: null, waitMs: 1000 },
  { signal: "SIGTERM", waitMs: 800 },
  { signal: "SIGKILL", waitMs: 5000 },
];

/**
 * The pids of a tree's living processes. Where the process table cannot be read (no `ps`, no descriptors left), the negative
 * number of the process group stands for all of its members.
 */
export async function processesOf(tree: ProcessTree, read = ProcessTable.read): Promise<number[]> {
  return (await findProcesses(tree, [], read)).map(({ pid }) => pid);
}

type Found = Pick<ProcessEntry, "pid" | "started">;

/** @param known processes of the tree that were found before: their parents may have ended meanwhile */
async function findProcesses(
  { root, group, environment }: ProcessTree,
  known: readonly Found[],
  read = ProcessTable.read,
): Promise<Found[]> {
  const table = await read().catch(() => null);
  if (table === null) return group && sendSignal(-group, 0) ? [{ pid: -group, started: "" }] : [];
  const roots = known.filter((entry) => table.has(entry)).map(({ pid }) => pid);
  if (root !== undefined) roots.push(root);
  const descendants = new Set(roots.flatMap((pid) => table.treeOf(pid)));
  const belongs = await Promise.all(
    table.entries.map(
      async (entry) =>
        descendants.has(entry) ||
        entry.group === group ||
        (environment !== undefined && (await environmentVariable(entry.pid, environment[0])) === environment[1]),
    ),
  );
  return table.entries.filter(({ pid }, index) => belongs[index] && pid !== ownPid);
}

/**
 * Ends the processes of a tree, step by step, until none is left. SIGKILL is sent again to those that started meanwhile.
 * @returns the processes that got a signal, and the pids that survived the last one (stuck inside the kernel)
 */
export async function endProcesses(
  tree: ProcessTree,
  clock: Clock,
  steps: readonly EndStep[] = END_STEPS,
): Promise<{ signalled: { pid: number; command: string }[]; survivors: number[] }> {
  const signalled = new Map<number, string>();
  let left = await findProcesses(tree, []);
  const send = (signal: NodeJS.Signals): void => {
    for (const { pid } of left) {
      if (!signalled.has(pid)) signalled.set(pid, commandOf(pid).join(" "));
      sendSignal(pid, signal);
    }
  };
  for (const { signal, waitMs } of steps) {
    const deadline = clock.now() + waitMs;
    if (signal !== null) send(signal);
    while (left.length > 0 && clock.now() < deadline) {
      await sleep(clock, POLL_MS);
      left = await findProcesses(tree, left);
      if (signal === "SIGKILL") send(signal);
    }
  }
  return {
    signalled: [...signalled].map(([pid, command]) => ({ pid, command })),
    survivors: left.map(({ pid }) => pid),
  };
}

/** Kills a process and its descendants, without waiting: also while this process exits. */
export function killTree(root: number): void {
  for (const { pid } of ProcessTable.readSync().treeOf(root)) sendSignal(pid, "SIGKILL");
}

/**
 * Sends a signal to a process, or to all of a group with its negative number; 0 only asks whether it lives.
 * @returns false when there is no such process
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(pid, signal);
  } catch {
    return false;
  }
}
