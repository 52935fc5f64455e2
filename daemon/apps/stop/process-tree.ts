import { kill } from "node:process";
import { environmentVariable, ProcessTable } from "../../../common/machine/process-table.ts";
import { RUN_ID_VARIABLE } from "../start/app-command.ts";

/** What identifies the processes of one run: the process group (null when unknown), and the run id in their environment. */
export interface ProcessTree {
  group: number | null;
  runId: string;
}

/**
 * The pids of a run's living processes. Those that left the process group (`setsid`) are found by the run id in their
 * environment, where the system shows it (Linux). Where the process table cannot be read (no `ps`, no descriptors left),
 * the negative number of the process group stands for all of its members.
 */
export async function processesOf({ group, runId }: ProcessTree, read = ProcessTable.read): Promise<number[]> {
  const table = await read().catch(() => null);
  if (table === null) return group !== null && sendSignal(-group, 0) ? [-group] : [];
  const belongs = await Promise.all(
    table.entries.map(
      async (entry) => entry.group === group || (await environmentVariable(entry.pid, RUN_ID_VARIABLE)) === runId,
    ),
  );
  return table.entries.filter((_, index) => belongs[index]).map((entry) => entry.pid);
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
