import type { Clock } from "../../clock.ts";
import { type Kin, membersOf, send } from "./members.ts";

const POLL_MS = 20;

/**
 * What happens to those that the app leaves behind: a moment to end by themselves (Python's helper processes do), a
 * request, and then the end. The last step's time is how long a process may take to die of SIGKILL.
 */
const STEPS: readonly { signal: NodeJS.Signals | null; waitMs: number }[] = [
  { signal: null, waitMs: 200 },
  { signal: "SIGTERM", waitMs: 800 },
  { signal: "SIGKILL", waitMs: 5000 },
];

/**
 * Ends what is left of a run after its leader has gone.
 * @returns how many had to be told, and those that not even SIGKILL could end (stuck inside the kernel)
 */
export async function sweep(kin: Kin, clock: Clock): Promise<{ told: number; survivors: number[] }> {
  let left = await membersOf(kin);
  let told = 0;
  for (const { signal, waitMs } of STEPS) {
    const deadline = clock.now() + waitMs;
    if (signal === "SIGTERM") {
      told = left.length;
      for (const pid of left) send(pid, signal);
    }
    while (left.length > 0 && clock.now() < deadline) {
      if (signal === "SIGKILL") for (const pid of left) send(pid, signal);
      await pause(clock);
      left = await membersOf(kin);
    }
  }
  return { told, survivors: left };
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.after(POLL_MS, resolve));
}
