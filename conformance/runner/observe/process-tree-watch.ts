import { readdirSync, readFileSync } from "node:fs";
import type { ProcessEntry } from "../../../common/machine/process-entry.ts";
import { ProcessTable } from "../../../common/machine/process-table.ts";
import type { ProcessorUse } from "./processor-share.ts";
import type { ProcessorWait } from "./starvation-window.ts";

const PERIOD_MS = 200;
/**
 * Samples from one look for new descendants to the next. Only that needs the whole process table, whose reading would take
 * more processor time than everything else that a lane does. What a descendant used that came and went in between is in
 * what its parent has reaped.
 */
const SAMPLES_PER_SEARCH = 5;

/** Finds all processes of an app in a process table, given the main one. */
export type FindProcesses = (table: ProcessTable, main: number) => readonly ProcessEntry[];

const descendants: FindProcesses = (table, main) => table.treeOf(main);

/** Samples what the processes of an app use, five times a second, and how long they wait for a processor. */
export class ProcessTreeWatch implements ProcessorUse {
  readonly #find: () => number | null;
  readonly #findProcesses: FindProcesses;
  /** Seconds of processor time of processes that have ended and whose parent is none of the app's, as last seen. */
  #lost = 0;
  #pid: number | null = null;
  readonly #onWait: (wait: ProcessorWait) => void;
  readonly #timer: NodeJS.Timeout;
  #tree: readonly ProcessEntry[] = [];
  #samplesUntilSearch = 0;
  /** When a process was last seen: seconds of performance.now(). */
  at = 0;
  /** Seconds of processor time so far. */
  cpu = 0;
  /** Seconds that each thread has waited for a processor so far, also those that have ended. */
  readonly waits = new Map<string, number>();
  /** The most bytes of resident memory so far, and those of the last sample. */
  memory = 0;
  memoryNow = 0;

  /**
   * @param find returns the process, or null while it has not started
   * @param onWait is called with each sample
   * @param findProcesses finds the processes of the app; the main one and its descendants unless given
   */
  constructor(
    find: () => number | null,
    onWait: (wait: ProcessorWait) => void = () => {},
    findProcesses: FindProcesses = descendants,
  ) {
    this.#find = find;
    this.#findProcesses = findProcesses;
    this.#onWait = onWait;
    this.#timer = setInterval(() => this.#takeSample(), PERIOD_MS);
    this.#takeSample();
  }

  /** Takes a sample now, of descendants that are new, too. */
  sample(): void {
    this.#samplesUntilSearch = 0;
    this.#takeSample();
  }

  #takeSample(): void {
    this.#pid ??= this.#find();
    if (this.#pid === null) return;
    const before = this.#tree;
    this.#tree = this.#readTree(this.#pid);
    const tree = this.#tree;
    this.#lost += sum(before.filter((entry) => isLost(entry, before, tree)).map(({ cpuSeconds }) => cpuSeconds));
    if (tree.length > 0) this.at = performance.now() / 1000;
    // Short commands one after the other count, too: those that have ended are in what their parent has reaped.
    const all = this.#lost + sum(tree.map(({ cpuSeconds, reapedCpuSeconds }) => cpuSeconds + reapedCpuSeconds));
    this.cpu = Math.max(this.cpu, all);
    for (const { pid } of tree) for (const [thread, waited] of waitsOfThreads(pid)) this.waits.set(thread, waited);
    this.memoryNow = sum(tree.map(({ pid }) => residentBytes(pid)));
    this.memory = Math.max(this.memory, this.memoryNow);
    const main = threadTimes(`/proc/${this.#pid}`);
    if (main === null) return;
    this.#onWait({ waited: main.waited, othersRan: 1000 * all - main.ran });
  }

  /** The process and its descendants: those that were known before, or, every few samples, all. */
  #readTree(pid: number): readonly ProcessEntry[] {
    if (this.#samplesUntilSearch === 0) {
      this.#samplesUntilSearch = SAMPLES_PER_SEARCH - 1;
      return this.#findProcesses(ProcessTable.readSync(), pid);
    }
    this.#samplesUntilSearch -= 1;
    const table = ProcessTable.readSync(this.#tree.map((entry) => entry.pid));
    // Not a later process with the same id.
    return table.entries.filter((entry) =>
      this.#tree.some(({ pid, started }) => pid === entry.pid && started === entry.started),
    );
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Whether a process has ended and none of the app's processes has reaped it. */
function isLost({ pid, started, parent }: ProcessEntry, before: readonly ProcessEntry[], now: readonly ProcessEntry[]) {
  return !now.some((one) => one.pid === pid && one.started === started) && !before.some((one) => one.pid === parent);
}

/** Bytes of resident memory and open descriptors of a process and its descendants, or of what else `find` finds. */
export function measureTree(main: number, find: FindProcesses = descendants): { memory: number; descriptors: number } {
  const pids = find(ProcessTable.readSync(), main).map(({ pid }) => pid);
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

/** Seconds that each thread of a process waited for a processor; none when the process has ended. */
function waitsOfThreads(pid: number): [thread: string, waited: number][] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => [
      thread,
      (threadTimes(`/proc/${pid}/task/${thread}`)?.waited ?? 0) / 1000,
    ]);
  } catch {
    return [];
  }
}

/**
 * Milliseconds that a thread ran, and that it was ready and waited for a processor: the first two fields of `schedstat` in
 * its folder of /proc; in that of a process, of its main thread. Null when unknown.
 */
function threadTimes(folder: string): { ran: number; waited: number } | null {
  try {
    const [ran, waited] = readFileSync(`${folder}/schedstat`, "utf8").split(" ");
    return waited === undefined ? null : { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
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
