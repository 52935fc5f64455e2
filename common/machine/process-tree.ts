import { pid as ownPid } from "node:process";
import { mapBounded } from "../map-bounded.ts";
import { type Clock, sleep } from "../time/clock.ts";
import { ifAbsent } from "./absent.ts";
import { type Machine, pidExists, sendSignal, thisMachine } from "./machine.ts";
import type { ProcessEntry } from "./process-entry.ts";
import { ProcessTable, READ_AT_ONCE } from "./process-table.ts";

/** What identifies processes that belong together. One of these is enough for a process, and this process never belongs. */
export interface ProcessTree {
  /** A process, and all that descend from it. */
  root?: number | undefined;
  /** A process group, not that of this process; null when it is unknown. */
  group?: number | null | undefined;
  /** A variable in their environment, by which Linux also shows those that left their parents and their group (`setsid`). */
  environment?: readonly [name: string, value: string] | undefined;
}

/** A signal (null for none) to all processes of a tree, or to its root only, and the most milliseconds until the next step. */
interface EndStep {
  signal: NodeJS.Signals | null;
  waitMs: number;
  rootOnly?: boolean;
}

const POLL_MS = 20;
const BLIND_POLL_MS = 250;

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
 * The pids of a tree's living processes. Where there is no process table (no `ps`), the negative number of the process group
 * stands for all of its members.
 * @throws Error of the system when it cannot be looked (no descriptors left)
 */
export async function processesOf(tree: ProcessTree, machine = thisMachine): Promise<number[]> {
  return (await findProcesses(tree, [], machine)).map(({ pid }) => pid);
}

type Found = Pick<ProcessEntry, "pid" | "started" | "group">;

/** @param known processes of the tree that were found before: their parents may have ended meanwhile */
async function findProcesses(
  { root, group, environment }: ProcessTree,
  known: readonly Found[],
  machine: Machine,
): Promise<readonly Found[]> {
  const table = await machine.readTable().catch(ifAbsent(null));
  if (table === null) {
    if (known.length > 0) return known.filter(({ pid }) => pidExists(pid, machine));
    return group && pidExists(-group, machine) ? [{ pid: -group, started: "", group }] : [];
  }
  const roots = known.filter((entry) => table.has(entry)).map(({ pid }) => pid);
  if (root !== undefined) roots.push(root);
  const descendants = new Set(roots.flatMap((pid) => table.treeOf(pid)));
  const belongs = await mapBounded(
    table.entries,
    READ_AT_ONCE,
    async (entry) =>
      descendants.has(entry) ||
      entry.group === group ||
      (environment !== undefined && (await machine.environmentVariable(entry.pid, environment[0])) === environment[1]),
  );
  return table.entries.filter(({ pid }, index) => belongs[index] && pid !== machine.pid);
}

/** Where it cannot be looked for the processes, the group gets the signal. */
export async function signalProcesses(tree: ProcessTree, signal: NodeJS.Signals, machine = thisMachine): Promise<void> {
  send(await findProcesses(tree, [], machine).catch(() => []), tree, signal, machine);
}

/** To the group in one step: a process that starts others faster than they are found stays in it. */
function send(found: readonly Found[], { group }: ProcessTree, signal: NodeJS.Signals, machine: Machine): void {
  for (const entry of found) if (entry.group !== group) sendSignal(entry.pid, signal, machine);
  if (group) sendSignal(-group, signal, machine);
}

/**
 * Ends the processes of a tree, step by step, until none is left. SIGKILL is sent again to those that started meanwhile, and
 * at the end to those that are missing in the process table because they start their successor and exit while it is read.
 * While it cannot look for them, the group gets the signals, and this settles only when it can look again.
 * @param onCannotLook gets the error each time that it cannot look, and null when it can again
 * @returns the processes that got a signal, and the pids that survived the last one (stuck inside the kernel)
 */
export async function endProcesses(
  tree: ProcessTree,
  clock: Clock,
  steps: readonly EndStep[] = END_STEPS,
  machine = thisMachine,
  onCannotLook: (error: Error | null) => void = () => {},
): Promise<{ signalled: { pid: number; command: string }[]; survivors: number[] }> {
  const signalled = new Map<number, string>();
  let current = tree;
  let isBlind = false;
  const find = async (known: readonly Found[]): Promise<readonly Found[]> => {
    const { root, group, environment } = current;
    let found: readonly Found[];
    try {
      found = await findProcesses(current, known, machine);
      if (isBlind) onCannotLook(null);
      isBlind = false;
    } catch (error) {
      isBlind = true;
      onCannotLook(error as Error);
      return known.length > 0 || !group ? known : [{ pid: -group, started: "", group }];
    }
    current = { environment };
    // The system may give the number of a process to another one later, and that of a group without processes.
    if (found.some(({ pid }) => pid < 0)) current.root = root;
    if (found.some((entry) => entry.group === group)) current.group = group;
    // Processes that end faster than the table is read are missing in it.
    else if (group) sendSignal(-group, "SIGKILL", machine);
    return found;
  };
  let left = await find([]);
  const sendToLeft = (signal: NodeJS.Signals, rootOnly = false): void => {
    const targets = rootOnly ? left.filter(({ pid }) => pid === tree.root) : left;
    for (const { pid } of targets) if (!signalled.has(pid)) signalled.set(pid, machine.commandOf(pid).join(" "));
    send(targets, rootOnly ? {} : current, signal, machine);
  };
  const isLeft = (): boolean => isBlind || left.length > 0;
  for (const { signal, waitMs, rootOnly } of steps) {
    const deadline = clock.now() + waitMs;
    if (signal !== null) sendToLeft(signal, rootOnly);
    while (isLeft() && (clock.now() < deadline || (isBlind && signal === "SIGKILL"))) {
      await sleep(clock, isBlind ? BLIND_POLL_MS : POLL_MS);
      left = await find(left);
      if (signal === "SIGKILL") sendToLeft(signal);
    }
  }
  if (left.length === 0 && tree.environment !== undefined)
    for (const { pid, command } of await machine.killSuccessors(tree.environment, clock)) signalled.set(pid, command);
  return {
    signalled: [...signalled].map(([pid, command]) => ({ pid, command })),
    survivors: left.map(({ pid }) => pid),
  };
}

/**
 * Kills a process and its descendants, never this process, without waiting: also while this process exits.
 * @returns how many it found
 */
export function killProcessTree(root: number): number {
  const found = ProcessTable.readSync()
    .treeOf(root)
    .filter(({ pid }) => pid !== ownPid);
  for (const { pid } of found) sendSignal(pid, "SIGKILL");
  return found.length;
}
