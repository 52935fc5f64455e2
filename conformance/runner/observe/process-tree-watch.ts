import { readdirSync, readFileSync } from "node:fs";
import { ProcessTable } from "../../../common/machine/process-table.ts";

const PERIOD_MS = 200;

/** Milliseconds of the window in which starvation is measured, and the share of it that is too much. */
const WINDOW_MS = 2000;
const STARVED_SHARE = 0.75;

/**
 * Samples what a process and its descendants use, five times a second, and how long the process waits for a processor: on a
 * machine that gives it none, it cannot keep any deadline.
 */
export class ProcessTreeWatch {
  readonly #find: () => number | null;
  #pid: number | null = null;
  readonly #onStarved: (seconds: number) => void;
  /** Samples of the window: performance.now(), and milliseconds waited so far. */
  readonly #waits: { at: number; waited: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  /** Seconds of processor time so far. */
  cpu = 0;
  /** The most bytes of resident memory so far, and those of the last sample. */
  memory = 0;
  memoryNow = 0;

  /**
   * @param find returns the process, or null while it has not started
   * @param onStarved is called with the seconds of the last two that the process has waited for a processor, when they are most
   */
  constructor(find: () => number | null, onStarved: (seconds: number) => void = () => {}) {
    this.#find = find;
    this.#onStarved = onStarved;
    this.#timer = setInterval(() => this.sample(), PERIOD_MS);
    this.sample();
  }

  sample(): void {
    this.#pid ??= this.#find();
    if (this.#pid === null) return;
    const tree = ProcessTable.readSync().treeOf(this.#pid);
    this.cpu = Math.max(this.cpu, sum(tree.map(({ cpuSeconds }) => cpuSeconds)));
    this.memoryNow = sum(tree.map(({ pid }) => residentBytes(pid)));
    this.memory = Math.max(this.memory, this.memoryNow);
    this.#checkForStarvation(performance.now(), waitedMs(this.#pid));
  }

  #checkForStarvation(at: number, waited: number | null): void {
    if (waited === null) return;
    this.#waits.push({ at, waited });
    while ((this.#waits[1]?.at ?? at) < at - WINDOW_MS) this.#waits.shift();
    const [first] = this.#waits;
    if (first === undefined || at - first.at < WINDOW_MS) return;
    const wait = waited - first.waited;
    if (wait > STARVED_SHARE * (at - first.at)) this.#onStarved(wait / 1000);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Bytes of resident memory and open descriptors of a process and its descendants. */
export function measureTree(pid: number): { memory: number; descriptors: number } {
  const pids = ProcessTable.readSync()
    .treeOf(pid)
    .map((entry) => entry.pid);
  return { memory: sum(pids.map(residentBytes)), descriptors: sum(pids.map(openDescriptors)) };
}

/** VmRSS of /proc/PID/status, which the kernel gives in kibibytes whatever its page size; 0 when the process has ended. */
function residentBytes(pid: number): number {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Milliseconds that a process was ready and waited for a processor: second field of /proc/PID/schedstat; null when unknown. */
function waitedMs(pid: number): number | null {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return nanoseconds === undefined ? null : Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}

function openDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
