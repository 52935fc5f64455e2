import { ProcessTable } from "../../common/machine/process-table.ts";
import { type Clock, sleep } from "../../common/time/clock.ts";

/** Milliseconds between two measurements. */
const PERIOD_MS = 500;
const MEGABYTE = 1e6;

/** Seconds: the largest deadline that a person may give a certification. */
export const MAX_DEADLINE_S = 86_400;

export interface CertifyLimits {
  /** Seconds that one certification may take, at most `MAX_DEADLINE_S`. */
  deadline: number;
  /** Bytes of resident memory of all its processes together. */
  memoryBytes: number;
}

interface TreeWatch {
  /** Resolves when a limit is exceeded. */
  exceeded: Promise<void>;
  reason(): { kind: "deadline" | "memory"; message: string } | null;
  /** The most so far, bytes. */
  memoryBytes(): number;
  /** The most so far, seconds: less than the whole by what some used that were killed with their parents. */
  cpuSeconds(): number;
  close(): void;
}

/** Why a certification is no verdict whose processes used more memory than they may; both in bytes. */
export const memoryLimitMessage = (used: number, allowed: number): string =>
  `its processes used ${Math.round(used / MEGABYTE)} MB, and ${Math.round(allowed / MEGABYTE)} MB are allowed`;

/** Measures a process and all that descend from it. */
export function watchTree(pid: number, clock: Clock, { deadline, memoryBytes }: CertifyLimits): TreeWatch {
  const end = new AbortController();
  let reason: ReturnType<TreeWatch["reason"]> = null;
  let [most, cpu] = [0, 0];
  const watch = async (): Promise<void> => {
    const until = clock.now() + deadline * 1000;
    while (!end.signal.aborted) {
      const tree = (await ProcessTable.read()).treeOf(pid);
      const memory = tree.reduce((sum, entry) => sum + entry.memoryBytes, 0);
      most = Math.max(most, memory);
      cpu = Math.max(
        cpu,
        tree.reduce((sum, entry) => sum + entry.cpuSeconds + entry.reapedCpuSeconds, 0),
      );
      if (memory > memoryBytes) {
        reason = { kind: "memory", message: memoryLimitMessage(memory, memoryBytes) };
        return;
      }
      if (clock.now() >= until) {
        reason = { kind: "deadline", message: `it was not certified within ${deadline} s` };
        return;
      }
      await sleep(clock, PERIOD_MS, end.signal);
    }
  };
  return {
    exceeded: watch(),
    reason: () => reason,
    memoryBytes: () => most,
    cpuSeconds: () => cpu,
    close: () => end.abort(),
  };
}
