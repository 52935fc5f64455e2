import { commandOf } from "../../../common/machine/process-table.ts";
import { type Clock, sleep } from "../../../common/time/clock.ts";
import { type ProcessTree, processesOf, sendSignal } from "./process-tree.ts";

const POLL_MS = 20;

/**
 * What happens to processes that outlive the main process: some time to end by themselves (as Python's helper
 * processes do, late on a busy machine), SIGTERM, SIGKILL. The last time is how long a process may take to die of SIGKILL.
 */
const STEPS: readonly { signal: NodeJS.Signals | null; waitMs: number }[] = [
  { signal: null, waitMs: 1000 },
  { signal: "SIGTERM", waitMs: 800 },
  { signal: "SIGKILL", waitMs: 5000 },
];

/**
 * Ends the processes of a run that are left after its main process has exited.
 * @returns the processes that got a signal, and the pids that survived SIGKILL (stuck inside the kernel)
 */
export async function endRemaining(
  tree: ProcessTree,
  clock: Clock,
): Promise<{ signalled: { pid: number; command: string }[]; survivors: number[] }> {
  let remaining = await processesOf(tree);
  let signalled: { pid: number; command: string }[] = [];
  for (const { signal, waitMs } of STEPS) {
    const deadline = clock.now() + waitMs;
    if (signal === "SIGTERM") {
      signalled = remaining.map((pid) => ({ pid, command: commandOf(pid).join(" ") }));
      for (const pid of remaining) sendSignal(pid, signal);
    }
    while (remaining.length > 0 && clock.now() < deadline) {
      if (signal === "SIGKILL") for (const pid of remaining) sendSignal(pid, signal);
      await sleep(clock, POLL_MS);
      remaining = await processesOf(tree);
    }
  }
  return { signalled, survivors: remaining };
}
