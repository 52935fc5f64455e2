import { type Clock, sleep } from "../../common/time/clock.ts";

/** Milliseconds that an orphaned app gets for its own clean-up. */
const GRACE_MS = 1000;
const POLL_MS = 20;

/** Sends a signal to a process, or to a process group when `pid` is negative; throws when there is none. */
type SendSignal = (pid: number, signal: NodeJS.Signals | 0) => void;

/** Ends a process group: SIGINT, and after a second SIGKILL for the processes that still run. */
export async function endGroup(pid: number, kill: SendSignal, clock: Clock): Promise<void> {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      kill(-pid, signal);
      return true;
    } catch {
      return false;
    }
  };
  const deadline = clock.now() + GRACE_MS;
  for (let alive = send("SIGINT"); alive; alive = send(0)) {
    if (clock.now() >= deadline) {
      send("SIGKILL");
      return;
    }
    await sleep(clock, POLL_MS);
  }
}
