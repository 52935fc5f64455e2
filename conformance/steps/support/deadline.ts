import { availableParallelism, loadavg } from "node:os";

/** The longest time that a stated one is extended to, so that it stays below the timeout of a step. */
const LONGEST_MS = 150_000;

/**
 * The time that a step of a scenario waits. Scenarios state times of a machine that does nothing else; one whose cores
 * are shared by other programs gets as many times more as processes wait for each core.
 * @param seconds as the scenario states them
 */
export function deadlineMs(seconds: number): number {
  const [load = 0] = loadavg();
  const processesPerCore = load / availableParallelism();
  const extended = seconds * 1000 * Math.max(1, 2 * processesPerCore);
  return Math.max(seconds * 1000, Math.min(extended, LONGEST_MS));
}
