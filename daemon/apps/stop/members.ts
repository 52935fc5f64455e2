import { kill } from "node:process";
import { RUN_MARK } from "../start/command.ts";
import { processTable, startedWith } from "./process-table.ts";

/** What belongs to one run of an app: the process group (null when it is not known), and whatever carries its mark. */
export interface Kin {
  group: number | null;
  mark: string;
}

/**
 * The living processes of a run. Those that left the group (`setsid`) are found by their environment where the system
 * shows it (Linux).
 */
export async function membersOf({ group, mark }: Kin): Promise<number[]> {
  const table = await processTable();
  const belongs = await Promise.all(
    table.map(async (entry) => entry.group === group || (await startedWith(entry.pid, RUN_MARK)) === mark),
  );
  return table.filter((_, index) => belongs[index]).map((entry) => entry.pid);
}

/** Sends a signal to a process (or, with a negative number, to a group). False when there is none. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return kill(pid, signal);
  } catch {
    return false;
  }
}
